# A starter bot in one file of shell and jq, for Savanna Ten and Herd at any number of seats.
# It plays the legal action that is worth most to it. To make it yours, change
# `worth_of_placement` and `worth_of_stone`.

# One jq reads all lines as they come: to start another for each takes longer than to think.
exec jq --null-input --compact-output --unbuffered '

# Savanna Ten

def influence: {monkey: 1, zebra: 2, giraffe: 3, elephant: 5, mouse: 1, lion: 4}[.];

# The 20 straight lines: every row, column and diagonal of at least 3 cells.
def find_lines:
  [ range(5) as $x | range(5) as $y
    | {$x, $y, cell: ("ABCDE"[$x:$x + 1] + "12345"[$y:$y + 1])}
    | select(.cell | IN("B1", "E2", "C3", "A4", "D5") | not) ]
  | [(group_by(.y), group_by(.x), group_by(.x - .y), group_by(.x + .y))[]]
  | map(select(length >= 3) | map(.cell));

# What our side gets more than the best other side from a line that it completes.
def lead($own):
  (map(.influence) | add) as $total
  | [ group_by(.side)[]
      | {side: .[0].side, share: (map(.influence) | add), mice: (map(select(.mouse)) | length)} ]
  | (map(.share) | max) as $most | (map(.share) | min) as $least
  | map(
      .points =
        if $total == 10 then (if .side == $own then 3 else 0 end)
        elif $total < 10 then (if .share == $most then 2 else 0 end)
        else (if .share == $least then 1 else 0 end) end
      | if .points > 0 then .points += .mice else . end)
  | (map(select(.side == $own).points) | add) - (map(select(.side != $own).points) | max // 0);

# The points it makes, less what it leaves: a line that lacks one tile suits the next seat.
def worth_of_placement($act; $start; $lines):
  def tile($seat; $face):
    { side: (if $start.options.teams then $seat % 2 else $seat end),
      influence: ($face | influence),
      mouse: ($face == "mouse") };
  split("@") as [$tile, $cell]
  | ($tile | if endswith("/lion") then "lion" else . end) as $face # "zebra/lion": Lion side up
  | tile($act.seat; $face) as $placed
  | [ $lines[]
      | select(index($cell))
      | length as $length
      | map($act.state.board[.] | values | tile(.seat; .side)) + [$placed]
      | if length == $length then lead($placed.side)
        elif length == $length - 1 then -0.5
        else 0 end ]
  | add;

# Herd

# The cells beside a cell, also those where the board ends: nothing ever stands there.
def beside:
  (.[:1] | explode[0]) as $row | (.[1:] | tonumber) as $number
  | [[0, 1], [0, -1], [1, 0], [-1, 0], [1, -1], [-1, 1]]
  | map(([$row + .[0]] | implode) + ($number + .[1] | tostring));

# Stay together, and remove the enemy stones that stand among ours.
def worth_of_stone($act):
  split("@") as [$verb, $cell]
  | ($cell | beside | map(select($act.state.board[.] == $act.seat)) | length)
  | if $verb == "place" then [., 2] | min else . end;

# The legal action that is worth most, any one among equals.
def choose($act; $start; $lines):
  [ $act.legal[]
    | {action: .,
       worth: (if $start.game == "herd" then worth_of_stone($act)
               else worth_of_placement($act; $start; $lines) end)} ]
  | (map(.worth) | max) as $best
  | map(select(.worth == $best).action)
  | .[($start.seed + $act.id * 7919) % length];

# The protocol: one JSON object a line, an answer only to `hello` and `act`.
find_lines as $lines
| foreach inputs as $message (
    null;
    if $message.type == "start" then $message else . end;
    . as $start
    | $message
    | if .type == "hello" then
        {type: "ready", protocol: 1, name: "shell-starter", games: ["savanna-ten", "herd"]}
      elif .type == "act" then
        {type: "action", id, actions: [choose($message; $start; $lines)]}
      elif .type == "error" then .message | stderr | empty # to be found in the log of the bot
      elif .type == "quit" then halt
      else empty end)
'
