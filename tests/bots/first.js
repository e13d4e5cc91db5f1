// Plays the first legal action.
const lines = require("readline").createInterface({ input: process.stdin });
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ type: "ready", protocol: 1, name: "first" });
  if (message.type === "act") {
    say({ type: "action", id: message.id, actions: [message.legal[0]] });
  }
  if (message.type === "quit") process.exit(0);
});
