import com.google.gson.Gson;
import com.google.gson.JsonElement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A starter bot in one file of Java, for Savanna Ten and Herd at any number of seats.
 * It plays the legal action that is worth most to it. To make it yours, change
 * {@code worthOfPlacement} and {@code worthOfStone}.
 */
public class Bot {

    // The protocol: one JSON object a line, an answer only to `hello` and `act`.

    /** A line from the referee: of each type what this bot needs. */
    record Message(
            String type,
            String game, int seed, Options options,                // of `start`
            int id, int seat, State state, List<String> legal,     // of `act`
            String message) {}                                     // of `error`

    record Options(boolean teams, int size) {}

    record State(Map<String, JsonElement> board) {}

    record Ready(String type, int protocol, String name, List<String> games) {}

    record Action(String type, int id, List<String> actions) {}

    static final Gson gson = new Gson();

    public static void main(String[] args) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in));
        Message start = null;
        for (String line; (line = lines.readLine()) != null; ) {
            var message = gson.fromJson(line, Message.class);
            switch (message.type) {
                case "hello" ->
                    say(new Ready("ready", 1, "java-starter", List.of("savanna-ten", "herd")));
                case "start" -> start = message;
                case "act" -> say(new Action("action", message.id, List.of(choose(message, start))));
                case "error" -> System.err.println(message.message); // to be found in the bot's log
                case "quit" -> System.exit(0);
                default -> { }
            }
        }
    }

    static void say(Object message) {
        System.out.println(gson.toJson(message));
        System.out.flush(); // an answer in a buffer never arrives
    }

    /** The legal action that is worth most, any one among equals. */
    static String choose(Message act, Message start) {
        var dice = new Random(start.seed + 31L * act.id);
        String chosen = null;
        double best = 0;
        int equals = 0;
        for (String action : act.legal) {
            double worth = start.game.equals("herd")
                    ? worthOfStone(action, act, start)
                    : worthOfPlacement(action, act, start);
            if (chosen == null || worth > best) {
                equals = 0;
            } else if (worth < best) {
                continue;
            }
            best = worth;
            equals++;
            if (dice.nextInt(equals) == 0) {
                chosen = action;
            }
        }
        return chosen;
    }

    // Savanna Ten

    static final List<String> CLOSED = List.of("B1", "E2", "C3", "A4", "D5");
    static final Map<String, Integer> INFLUENCE =
            Map.of("monkey", 1, "zebra", 2, "giraffe", 3, "elephant", 5, "mouse", 1, "lion", 4);
    static final Collection<List<String>> LINES = findLines();

    /** A tile on the board: who placed it, and the side that lies up. */
    record Tile(int seat, String side) {}

    /** The 20 straight lines: every row, column and diagonal of at least 3 cells. */
    static Collection<List<String>> findLines() {
        var lines = new HashMap<String, List<String>>();
        for (int x = 0; x < 5; x++) {
            for (int y = 0; y < 5; y++) {
                String cell = "ABCDE".substring(x, x + 1) + (y + 1);
                if (CLOSED.contains(cell)) {
                    continue;
                }
                for (String line : List.of("row" + y, "column" + x, "fall" + (x - y), "rise" + (x + y))) {
                    lines.computeIfAbsent(line, name -> new ArrayList<>()).add(cell);
                }
            }
        }
        return lines.values().stream().filter(cells -> cells.size() >= 3).toList();
    }

    /** The points it makes, less what it leaves: a line that lacks one tile suits the next seat. */
    static double worthOfPlacement(String action, Message act, Message start) {
        String[] parts = action.split("@");
        String cell = parts[1];
        boolean isLion = parts[0].endsWith("/lion"); // "zebra/lion": a zebra, Lion side up
        int teams = start.options.teams ? 2 : 4;
        int own = act.seat % teams;
        double worth = 0;
        for (var line : LINES) {
            if (!line.contains(cell)) {
                continue;
            }
            var tiles = new ArrayList<Tile>();
            tiles.add(new Tile(own, isLion ? "lion" : parts[0]));
            for (String place : line) {
                if (act.state.board.containsKey(place)) {
                    var tile = gson.fromJson(act.state.board.get(place), Tile.class);
                    tiles.add(new Tile(tile.seat % teams, tile.side));
                }
            }
            if (tiles.size() == line.size()) {
                worth += lead(tiles, own);
            } else if (tiles.size() == line.size() - 1) {
                worth -= 0.5;
            }
        }
        return worth;
    }

    /** What our side gets more than the best other side from a line that it completes. */
    static int lead(List<Tile> tiles, int own) {
        var shares = new TreeMap<Integer, Integer>();
        for (var tile : tiles) {
            shares.merge(tile.seat, INFLUENCE.get(tile.side), Integer::sum);
        }
        int total = shares.values().stream().mapToInt(share -> share).sum();
        int most = shares.values().stream().mapToInt(share -> share).max().orElse(0);
        int least = shares.values().stream().mapToInt(share -> share).min().orElse(0);
        int ours = 0;
        int theirs = 0;
        for (int side : shares.keySet()) {
            int share = shares.get(side);
            int points = 0;
            if (total == 10 && side == own) {
                points = 3;
            } else if (total < 10 && share == most) {
                points = 2;
            } else if (total > 10 && share == least) {
                points = 1;
            }
            if (points > 0) {
                points += tiles.stream().filter(new Tile(side, "mouse")::equals).count();
            }
            if (side == own) {
                ours = points;
            } else {
                theirs = Math.max(theirs, points);
            }
        }
        return ours - theirs;
    }

    // Herd

    static final int[][] STEPS = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, -1}, {-1, 1}};

    /** Capture; else stay together; but leave the holes that only we can fill for later. */
    static double worthOfStone(String action, Message act, Message start) {
        String cell = action.substring(action.indexOf('@') + 1);
        int size = start.options.size;
        var board = act.state.board;
        var beside = neighbours(cell, size);
        long friends = beside.stream().filter(other -> isOwn(other, act)).count();
        if (action.startsWith("remove")) {
            return friends; // an enemy stone that stands among ours
        }
        long captured = beside.stream()
                .filter(other -> board.containsKey(other) && !isOwn(other, act))
                .filter(enemy -> neighbours(enemy, size).stream()
                        .allMatch(other -> other.equals(cell) || isOwn(other, act)))
                .count();
        boolean isHole = friends == beside.size();
        return 3 * captured + Math.min(friends, 2) - (isHole ? 3 : 0);
    }

    static boolean isOwn(String cell, Message act) {
        var owner = act.state.board.get(cell);
        return owner != null && owner.getAsInt() == act.seat;
    }

    /** The cells beside a cell: 6 inside the board, 3 or 4 on its edge. */
    static List<String> neighbours(String cell, int size) {
        int row = cell.charAt(0) - 'A';
        int number = Integer.parseInt(cell.substring(1));
        return Stream.of(STEPS)
                .filter(step -> isOnBoard(row + step[0], number + step[1], size))
                .map(step -> Character.toString('A' + row + step[0]) + (number + step[1]))
                .toList();
    }

    /** Whether a hexagon with {@code size} cells on a side has this cell; rows count from 0. */
    static boolean isOnBoard(int row, int number, int size) {
        int r = row - (size - 1);
        int q = number - size;
        return IntStream.of(r, q, r + q).map(Math::abs).allMatch(distance -> distance < size);
    }
}
