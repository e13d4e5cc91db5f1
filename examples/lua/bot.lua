-- A starter bot in one file of Lua, for Savanna Ten and Herd at any number of seats.
-- It plays the legal action that is worth most to it. To make it yours, change
-- `worth_of_placement` and `worth_of_stone`.

local json = require("dkjson")

-- Savanna Ten

local CLOSED = { B1 = true, E2 = true, C3 = true, A4 = true, D5 = true }
local INFLUENCE = { monkey = 1, zebra = 2, giraffe = 3, elephant = 5, mouse = 1, lion = 4 }

-- For each cell the straight lines through it that are judged: every row, column and diagonal of
-- at least 3 cells.
local function find_lines()
  local lines, through = {}, {}
  for x = 1, 5 do
    for y = 1, 5 do
      local cell = ("ABCDE"):sub(x, x) .. y
      if not CLOSED[cell] then
        for _, line in ipairs({ "row" .. y, "column" .. x, "fall" .. x - y, "rise" .. x + y }) do
          lines[line] = lines[line] or {}
          table.insert(lines[line], cell)
        end
        through[cell] = {}
      end
    end
  end
  for _, line in pairs(lines) do
    if #line >= 3 then
      for _, cell in ipairs(line) do
        table.insert(through[cell], line)
      end
    end
  end
  return through
end

local LINES_THROUGH = find_lines()

-- What our side gets more than the best other side from a line of tiles that it completes.
local function lead(tiles, own)
  local shares, mice, total, most, least = {}, {}, 0, 0, math.huge
  for _, tile in ipairs(tiles) do
    shares[tile.side] = (shares[tile.side] or 0) + INFLUENCE[tile.face]
    mice[tile.side] = (mice[tile.side] or 0) + (tile.face == "mouse" and 1 or 0)
    total = total + INFLUENCE[tile.face]
  end
  for _, share in pairs(shares) do
    most, least = math.max(most, share), math.min(least, share)
  end
  local ours, theirs = 0, 0
  for side, share in pairs(shares) do
    local points = 0
    if total == 10 and side == own then
      points = 3 + mice[side]
    elseif total < 10 and share == most then
      points = 2 + mice[side]
    elseif total > 10 and share == least then
      points = 1 + mice[side]
    end
    if side == own then
      ours = points
    else
      theirs = math.max(theirs, points)
    end
  end
  return ours - theirs
end

-- The points it makes, less what it leaves: a line that lacks one tile suits the next seat.
local function worth_of_placement(action, act, start)
  local tile, cell = action:match("(.+)@(.+)")
  local function side_of(seat)
    return start.options.teams and seat % 2 or seat
  end
  local own = side_of(act.seat)
  local worth = 0
  for _, line in ipairs(LINES_THROUGH[cell]) do
    local tiles = { { side = own, face = tile:match("lion") or tile } } -- "zebra/lion": Lion side up
    for _, place in ipairs(line) do
      local lying = act.state.board[place]
      if lying then
        table.insert(tiles, { side = side_of(lying.seat), face = lying.side })
      end
    end
    if #tiles == #line then
      worth = worth + lead(tiles, own)
    elseif #tiles == #line - 1 then
      worth = worth - 0.5
    end
  end
  return worth
end

-- Herd

local STEPS = { { 0, 1 }, { 0, -1 }, { 1, 0 }, { -1, 0 }, { 1, -1 }, { -1, 1 } }

-- Whether a hexagon with `size` cells on a side has this cell; rows count from 0.
local function is_on_board(row, number, size)
  local r, q = row - (size - 1), number - size
  return math.max(math.abs(r), math.abs(q), math.abs(r + q)) < size
end

-- The cells beside a cell: 6 inside the board, 3 or 4 on its edge.
local function neighbours(cell, size)
  local row, number = cell:byte() - ("A"):byte(), tonumber(cell:sub(2))
  local cells = {}
  for _, step in ipairs(STEPS) do
    local y, x = row + step[1], number + step[2]
    if is_on_board(y, x, size) then
      table.insert(cells, string.char(("A"):byte() + y) .. x)
    end
  end
  return cells
end

-- Capture; else stay together; but leave the holes that only we can fill for later.
local function worth_of_stone(action, act, start)
  local verb, cell = action:match("(.+)@(.+)")
  local board, size = act.state.board, start.options.size
  local function is_captured(enemy)
    for _, other in ipairs(neighbours(enemy, size)) do
      if other ~= cell and board[other] ~= act.seat then
        return false
      end
    end
    return true
  end
  local beside = neighbours(cell, size)
  local friends, captured = 0, 0
  for _, other in ipairs(beside) do
    if board[other] == act.seat then
      friends = friends + 1
    elseif board[other] and is_captured(other) then
      captured = captured + 1
    end
  end
  if verb == "remove" then
    return friends -- an enemy stone that stands among ours
  end
  local hole = friends == #beside and 3 or 0
  return 3 * captured + math.min(friends, 2) - hole
end

-- The protocol: one JSON object a line, an answer only to `hello` and `act`.

local function say(message)
  io.write(json.encode(message), "\n")
  io.flush() -- an answer in a buffer never arrives
end

-- The legal action that is worth most, any one among equals.
local function choose(act, start)
  local worth = start.game == "herd" and worth_of_stone or worth_of_placement
  math.randomseed(start.seed + act.id)
  local chosen, best, equals = nil, -math.huge, 0
  for _, action in ipairs(act.legal) do
    local points = worth(action, act, start)
    if points > best then
      best, equals = points, 0
    end
    if points == best then
      equals = equals + 1
      if math.random(equals) == 1 then
        chosen = action
      end
    end
  end
  return chosen
end

local start
for line in io.lines() do
  local message = json.decode(line)
  if message.type == "hello" then
    say({ type = "ready", protocol = 1, name = "lua-starter", games = { "savanna-ten", "herd" } })
  elseif message.type == "start" then
    start = message
  elseif message.type == "act" then
    say({ type = "action", id = message.id, actions = { choose(message, start) } })
  elseif message.type == "error" then
    io.stderr:write(message.message, "\n") -- to be found in the bot's log
  elseif message.type == "quit" then
    break
  end
end
