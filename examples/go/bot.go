// A starter bot in one file of plain Go, for Savanna Ten and Herd at any number of seats.
// It plays the legal action that is worth most to it. To make it yours, change
// worthOfPlacement and worthOfStone.
package main

import (
	"encoding/json"
	"log"
	"math/rand"
	"os"
	"strconv"
	"strings"
)

// Message is a line from the referee: of each type what this bot needs.
type Message struct {
	Type string

	Game    string // of `start`
	Seed    int64
	Options struct {
		Teams bool
		Size  int
	}

	ID    int64 // of `act`
	Seat  int
	State struct{ Board json.RawMessage }
	Legal []string

	Message string // of `error`
}

// Ready is the answer to `hello`.
type Ready struct {
	Type     string   `json:"type"`
	Protocol int      `json:"protocol"`
	Name     string   `json:"name"`
	Games    []string `json:"games"`
}

// Action is the answer to `act`.
type Action struct {
	Type    string   `json:"type"`
	ID      int64    `json:"id"`
	Actions []string `json:"actions"`
}

// The protocol: one JSON object a line, an answer only to `hello` and `act`.
func main() {
	lines := json.NewDecoder(os.Stdin)
	answers := json.NewEncoder(os.Stdout) // writes a line at once
	var start Message
	for {
		var message Message
		if lines.Decode(&message) != nil {
			return // the end of the input
		}
		switch message.Type {
		case "hello":
			answers.Encode(Ready{"ready", 1, "go-starter", []string{"savanna-ten", "herd"}})
		case "start":
			start = message
		case "act":
			answers.Encode(Action{"action", message.ID, []string{choose(message, start)}})
		case "error":
			log.Print(message.Message) // to be found in the bot's log
		case "quit":
			return
		}
	}
}

// choose gives the legal action that is worth most, any one among equals.
func choose(act, start Message) string {
	worth := worthOfPlacement(act, start)
	if start.Game == "herd" {
		worth = worthOfStone(act, start)
	}
	dice := rand.New(rand.NewSource(start.Seed + act.ID))
	var chosen string
	var best float64
	for _, i := range dice.Perm(len(act.Legal)) {
		if value := worth(act.Legal[i]); chosen == "" || value > best {
			chosen, best = act.Legal[i], value
		}
	}
	return chosen
}

// Savanna Ten

type tile struct {
	Seat int
	Side string // "zebra", or "lion" for any tile that lies Lion side up
}

var (
	closed    = "B1 E2 C3 A4 D5"
	influence = map[string]int{
		"monkey": 1, "zebra": 2, "giraffe": 3, "elephant": 5, "mouse": 1, "lion": 4,
	}
	linesThrough = findLines()
)

// findLines gives for each cell the straight lines through it that are judged: every row, column
// and diagonal of at least 3 cells.
func findLines() map[string][][]string {
	lines := map[[2]int][]string{}
	for x, column := range "ABCDE" {
		for y, row := range "12345" {
			cell := string(column) + string(row)
			if strings.Contains(closed, cell) {
				continue
			}
			for direction, number := range []int{y, x, x - y, x + y} {
				line := [2]int{direction, number}
				lines[line] = append(lines[line], cell)
			}
		}
	}
	through := map[string][][]string{}
	for _, line := range lines {
		if len(line) < 3 {
			continue
		}
		for _, cell := range line {
			through[cell] = append(through[cell], line)
		}
	}
	return through
}

// worthOfPlacement: the points it makes, less what it leaves: a line that lacks one tile suits the
// next seat.
func worthOfPlacement(act, start Message) func(string) float64 {
	var board map[string]tile
	json.Unmarshal(act.State.Board, &board)
	sideOf := func(seat int) int {
		if start.Options.Teams {
			return seat % 2
		}
		return seat
	}
	return func(action string) float64 {
		face, cell, _ := strings.Cut(action, "@")
		if strings.HasSuffix(face, "/lion") { // "zebra/lion": a zebra, Lion side up
			face = "lion"
		}
		board[cell] = tile{act.Seat, face}
		defer delete(board, cell)
		worth := 0.0
		for _, line := range linesThrough[cell] {
			var tiles []tile
			for _, place := range line {
				if lying, taken := board[place]; taken {
					tiles = append(tiles, tile{sideOf(lying.Seat), lying.Side})
				}
			}
			switch len(line) - len(tiles) {
			case 0:
				worth += float64(lead(tiles, sideOf(act.Seat)))
			case 1:
				worth -= 0.5
			}
		}
		return worth
	}
}

// lead gives what our side gets more than the best other side from a line that it completes.
func lead(tiles []tile, own int) int {
	shares, mice := map[int]int{}, map[int]int{}
	total := 0
	for _, tile := range tiles {
		shares[tile.Seat] += influence[tile.Side]
		total += influence[tile.Side]
		if tile.Side == "mouse" {
			mice[tile.Seat]++
		}
	}
	most, least := 0, total
	for _, share := range shares {
		most, least = max(most, share), min(least, share)
	}
	ours, theirs := 0, 0
	for side, share := range shares {
		points := 0
		switch {
		case total == 10 && side == own:
			points = 3 + mice[side]
		case total < 10 && share == most:
			points = 2 + mice[side]
		case total > 10 && share == least:
			points = 1 + mice[side]
		}
		if side == own {
			ours = points
		} else {
			theirs = max(theirs, points)
		}
	}
	return ours - theirs
}

// Herd

// worthOfStone: capture; else stay together; but leave the holes that only we can fill for later.
func worthOfStone(act, start Message) func(string) float64 {
	var board map[string]int
	json.Unmarshal(act.State.Board, &board)
	size := start.Options.Size
	isOwn := func(cell string) bool {
		seat, taken := board[cell]
		return taken && seat == act.Seat
	}
	countOwn := func(cells []string) int {
		count := 0
		for _, cell := range cells {
			if isOwn(cell) {
				count++
			}
		}
		return count
	}
	return func(action string) float64 {
		verb, cell, _ := strings.Cut(action, "@")
		beside := neighbours(cell, size)
		friends := countOwn(beside)
		if verb == "remove" {
			return float64(friends) // an enemy stone that stands among ours
		}
		worth := min(friends, 2)
		if friends == len(beside) {
			worth -= 3
		}
		for _, other := range beside {
			around := neighbours(other, size)
			if _, taken := board[other]; taken && !isOwn(other) && countOwn(around) == len(around)-1 {
				worth += 3 // the stone on `cell` is the last that was missing around this enemy
			}
		}
		return float64(worth)
	}
}

// neighbours gives the cells beside a cell: 6 inside the board, 3 or 4 on its edge.
func neighbours(cell string, size int) []string {
	row := int(cell[0] - 'A')
	number, _ := strconv.Atoi(cell[1:])
	var cells []string
	for _, step := range [][2]int{{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, -1}, {-1, 1}} {
		y, x := row+step[0], number+step[1]
		if isOnBoard(y, x, size) {
			cells = append(cells, string(rune('A'+y))+strconv.Itoa(x))
		}
	}
	return cells
}

// isOnBoard tells whether a hexagon with `size` cells on a side has this cell; rows count from 0.
func isOnBoard(row, number, size int) bool {
	r, q := row-(size-1), number-size
	return max(r, -r, q, -q, r+q, -r-q) < size
}

func max(first int, others ...int) int {
	for _, other := range others {
		if other > first {
			first = other
		}
	}
	return first
}

func min(a, b int) int { return -max(-a, -b) }
