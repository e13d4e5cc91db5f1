# A starter bot in one file of plain Ruby, for Savanna Ten and Herd at any number of seats.
# It plays the legal action that is worth most to it. To make it yours, change
# `worth_of_placement` and `worth_of_stone`.

require "json"

# The protocol: one JSON object a line, an answer only to `hello` and `act`.
def main
  start = nil
  $stdin.each_line do |line|
    message = JSON.parse(line)
    case message["type"]
    when "hello"
      say(type: "ready", protocol: 1, name: "ruby-starter", games: ["savanna-ten", "herd"])
    when "start" then start = message
    when "act" then say(type: "action", id: message["id"], actions: [choose(message, start)])
    when "error" then warn message["message"] # to be found in the bot's log
    when "quit" then break
    end
  end
end

def say(message)
  puts JSON.generate(message)
  $stdout.flush # an answer in a buffer never arrives
end

# The legal action that is worth most, any one among equals.
def choose(act, start)
  dice = Random.new(start["seed"] + act["id"])
  herd = start["game"] == "herd"
  act["legal"].shuffle(random: dice).max_by do |action|
    herd ? worth_of_stone(action, act, start) : worth_of_placement(action, act, start)
  end
end

# Savanna Ten

CLOSED = %w[B1 E2 C3 A4 D5].freeze
INFLUENCE = {
  "monkey" => 1, "zebra" => 2, "giraffe" => 3, "elephant" => 5, "mouse" => 1, "lion" => 4
}.freeze

# The 20 straight lines: every row, column and diagonal of at least 3 cells.
def find_lines
  lines = Hash.new { |hash, line| hash[line] = [] }
  5.times.to_a.product(5.times.to_a) do |x, y|
    cell = "ABCDE"[x] + "12345"[y]
    next if CLOSED.include?(cell)

    { row: y, column: x, falling: x - y, rising: x + y }.each { |line| lines[line] << cell }
  end
  lines.values.select { |cells| cells.size >= 3 }
end

LINES = find_lines.freeze

# The points it makes, less what it leaves: a line that lacks one tile suits the next seat.
def worth_of_placement(action, act, start)
  tile, cell = action.split("@")
  face = tile.end_with?("/lion") ? "lion" : tile # "zebra/lion": a zebra, Lion side up
  side_of = ->(seat) { start["options"]["teams"] ? seat % 2 : seat }
  own = side_of[act["seat"]]
  board = act["state"]["board"].transform_values { |lying| [side_of[lying["seat"]], lying["side"]] }
  board[cell] = [own, face]
  LINES.select { |line| line.include?(cell) }.sum do |line|
    tiles = board.values_at(*line).compact
    case line.size - tiles.size
    when 0 then lead(tiles, own)
    when 1 then -0.5
    else 0
    end
  end
end

# What our side gets more than the best other side from a line of [side, face] that it completes.
def lead(tiles, own)
  shares = tiles.group_by(&:first).transform_values do |lying|
    lying.sum { |_, face| INFLUENCE[face] }
  end
  total = shares.values.sum
  points = shares.to_h do |side, share|
    scored = if total == 10 then side == own ? 3 : 0
             elsif total < 10 then share == shares.values.max ? 2 : 0
             else share == shares.values.min ? 1 : 0
             end
    [side, scored.zero? ? 0 : scored + tiles.count([side, "mouse"])]
  end
  points.delete(own) - (points.values.max || 0)
end

# Herd

STEPS = [[0, 1], [0, -1], [1, 0], [-1, 0], [1, -1], [-1, 1]].freeze

# Capture; else stay together; but leave the holes that only we can fill for later.
def worth_of_stone(action, act, start)
  verb, cell = action.split("@")
  board = act["state"]["board"]
  size = start["options"]["size"]
  beside = neighbours(cell, size)
  friends, others = beside.partition { |other| board[other] == act["seat"] }
  return friends.size if verb == "remove" # an enemy stone that stands among ours

  captured = others.select { |other| board.key?(other) }.count do |enemy|
    neighbours(enemy, size).all? { |other| other == cell || board[other] == act["seat"] }
  end
  hole = others.empty? ? 3 : 0
  3 * captured + [friends.size, 2].min - hole
end

# The cells beside a cell: 6 inside the board, 3 or 4 on its edge.
def neighbours(cell, size)
  row = cell.ord - "A".ord
  number = cell[1..].to_i
  around = STEPS.map { |down, right| [row + down, number + right] }
  around.select { |y, x| on_board?(y, x, size) }.map { |y, x| "#{("A".ord + y).chr}#{x}" }
end

# Whether a hexagon with `size` cells on a side has this cell; rows count from 0.
def on_board?(row, number, size)
  r = row - (size - 1)
  q = number - size
  [r, q, r + q].all? { |distance| distance.abs < size }
end

main
