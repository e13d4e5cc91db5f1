//! A starter bot in one file of Rust, for Savanna Ten and Herd at any number of seats.
//! It plays the legal action that is worth most to it. To make it yours, change
//! `worth_of_placement` and `worth_of_stone`.

use serde_json::{json, Value};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead, Write};

// The protocol: one JSON object a line, an answer only to `hello` and `act`.

fn main() -> io::Result<()> {
    let mut start = Value::Null;
    for line in io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        match message["type"].as_str() {
            Some("hello") => say(json!({
                "type": "ready",
                "protocol": 1,
                "name": "rust-starter",
                "games": ["savanna-ten", "herd"],
            }))?,
            Some("start") => start = message,
            Some("act") => say(json!({
                "type": "action",
                "id": message["id"],
                "actions": [choose(&message, &start)],
            }))?,
            Some("error") => eprintln!("{}", message["message"]), // to be found in the bot's log
            Some("quit") => break,
            _ => {}
        }
    }
    Ok(())
}

fn say(message: Value) -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(out, "{}", message)?;
    out.flush() // an answer in a buffer never arrives
}

/// The legal action that is worth most, any one among equals.
fn choose<'a>(act: &'a Value, start: &Value) -> &'a str {
    let worth = match start["game"].as_str() {
        Some("herd") => worth_of_stone,
        _ => worth_of_placement,
    };
    let mut dice = Dice(integer(&start["seed"]) as u64 ^ (integer(&act["id"]) as u64) << 32);
    let legal = act["legal"].as_array().expect("`legal` is an array");
    let rated = legal.iter().filter_map(Value::as_str).map(|action| {
        let points = worth(action, act, start);
        (action, (points, dice.roll()))
    });
    let best = rated.max_by(|(_, a), (_, b)| a.partial_cmp(b).expect("no NaN"));
    best.expect("there is always a legal action").0
}

/// Numbers that follow from a seed (splitmix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

fn integer(value: &Value) -> i64 {
    value.as_i64().unwrap_or(0)
}

// Savanna Ten

const CLOSED: [&str; 5] = ["B1", "E2", "C3", "A4", "D5"];

fn influence(face: &str) -> i64 {
    match face {
        "zebra" => 2,
        "giraffe" => 3,
        "lion" => 4,
        "elephant" => 5,
        _ => 1, // monkey and mouse
    }
}

/// The straight lines through a cell that are judged: its row, its column and its diagonals, each
/// where it has at least 3 cells.
fn lines_through(cell: &str) -> Vec<Vec<String>> {
    let numbers = |x: i64, y: i64| [x, y, x - y, x + y];
    let place = cell.as_bytes();
    let own = numbers((place[0] - b'A').into(), (place[1] - b'1').into());
    let mut lines = vec![Vec::new(); own.len()];
    for (x, column) in (0..).zip("ABCDE".chars()) {
        for (y, row) in (0..).zip("12345".chars()) {
            let other = format!("{}{}", column, row);
            if CLOSED.contains(&other.as_str()) {
                continue;
            }
            for (line, (number, own)) in lines.iter_mut().zip(numbers(x, y).iter().zip(&own)) {
                if number == own {
                    line.push(other.clone());
                }
            }
        }
    }
    lines.retain(|line| line.len() >= 3);
    lines
}

/// The points it makes, less what it leaves: a line that lacks one tile suits the next seat.
fn worth_of_placement(action: &str, act: &Value, start: &Value) -> f64 {
    let (tile, cell) = action.split_once('@').expect("a tile and a cell");
    let face = if tile.ends_with("/lion") {
        "lion"
    } else {
        tile
    }; // "zebra/lion"
    let teams = start["options"]["teams"] == true;
    let side_of = |seat: &Value| integer(seat) % if teams { 2 } else { 4 };
    let own = side_of(&act["seat"]);
    let board = &act["state"]["board"];
    let mut worth = 0.0;
    for line in lines_through(cell) {
        let lying = line.iter().filter_map(|place| board.get(place.as_str()));
        let mut tiles: Vec<(i64, &str)> = lying
            .map(|tile| (side_of(&tile["seat"]), tile["side"].as_str().unwrap_or("")))
            .collect();
        tiles.push((own, face));
        match line.len() - tiles.len() {
            0 => worth += lead(&tiles, own) as f64,
            1 => worth -= 0.5,
            _ => {}
        }
    }
    worth
}

/// What our side gets more than the best other side from a line of (side, face) that it completes.
fn lead(tiles: &[(i64, &str)], own: i64) -> i64 {
    let mut shares = BTreeMap::new();
    for (side, face) in tiles {
        *shares.entry(*side).or_insert(0) += influence(face);
    }
    let total: i64 = shares.values().sum();
    let most = *shares.values().max().unwrap_or(&0);
    let least = *shares.values().min().unwrap_or(&0);
    let mut points = HashMap::new();
    for (side, share) in shares {
        let scored = match total {
            10 => 3 * i64::from(side == own),
            0..=9 => 2 * i64::from(share == most),
            _ => i64::from(share == least),
        };
        if scored > 0 {
            let mice = tiles
                .iter()
                .filter(|tile| **tile == (side, "mouse"))
                .count();
            points.insert(side, scored + mice as i64);
        }
    }
    points.remove(&own).unwrap_or(0) - points.into_values().max().unwrap_or(0)
}

// Herd

/// Capture; else stay together; but leave the holes that only we can fill for later.
fn worth_of_stone(action: &str, act: &Value, start: &Value) -> f64 {
    let (verb, cell) = action.split_once('@').expect("a verb and a cell");
    let size = integer(&start["options"]["size"]);
    let board = &act["state"]["board"];
    let is_own = |place: &String| board.get(place) == Some(&act["seat"]);
    let beside = neighbours(cell, size);
    let friends = beside.iter().filter(|place| is_own(place)).count();
    if verb == "remove" {
        return friends as f64; // an enemy stone that stands among ours
    }
    let is_captured = |enemy: &&String| {
        let mut around = neighbours(enemy, size).into_iter();
        around.all(|place| place == cell || is_own(&place))
    };
    let enemies = beside
        .iter()
        .filter(|place| board.get(place).is_some() && !is_own(place));
    let captured = enemies.filter(is_captured).count();
    let hole = if friends == beside.len() { 3.0 } else { 0.0 };
    3.0 * captured as f64 + friends.min(2) as f64 - hole
}

/// The cells beside a cell: 6 inside the board, 3 or 4 on its edge.
fn neighbours(cell: &str, size: i64) -> Vec<String> {
    let row = i64::from(cell.as_bytes()[0] - b'A');
    let number: i64 = cell[1..].parse().expect("a number behind the letter");
    let steps = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)];
    let around = steps
        .iter()
        .map(|(down, right)| (row + down, number + right));
    around
        .filter(|(y, x)| is_on_board(*y, *x, size))
        .map(|(y, x)| format!("{}{}", (b'A' + y as u8) as char, x))
        .collect()
}

/// Whether a hexagon with `size` cells on a side has this cell; rows count from 0.
fn is_on_board(row: i64, number: i64, size: i64) -> bool {
    let (r, q) = (row - (size - 1), number - size);
    r.abs().max(q.abs()).max((r + q).abs()) < size
}
