// Says `ready`, then listens until the end.
const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  if (JSON.parse(line).type === "hello")
    console.log(JSON.stringify({ type: "ready", protocol: 1, name: "bench" }));
});
