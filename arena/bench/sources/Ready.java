import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** Says `ready`, then listens until the end. Java brings no JSON. */
class Ready {
    public static void main(String[] words) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = lines.readLine()) != null; )
            if (line.startsWith("{\"type\":\"hello\""))
                System.out.println("{\"type\":\"ready\",\"protocol\":1,\"name\":\"bench\"}");
    }
}
