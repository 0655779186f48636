//! The table, read.

/// Whose answer stands in which column.
pub const COLUMNS: [&str; 5] = ["nobody", "auth", "owner", "editor", "admin"];

/// How a thing is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    Shown,
    Hidden,
    /// Shown itself, but part of something hidden.
    Withheld,
}

impl State {
    pub const ALL: [State; 3] = [State::Shown, State::Hidden, State::Withheld];

    /// The state of that name; requests that are about no thing in particular find shown ones.
    fn named(name: &str) -> State {
        match name {
            "-" | "shown" => State::Shown,
            "hidden" => State::Hidden,
            "withheld" => State::Withheld,
            other => panic!("no state is called {other}"),
        }
    }
}

/// A request, and the status of its answer for each column.
#[derive(Debug, Clone)]
pub struct Row {
    pub method: String,
    /// With `{words}` for things. What follows `?` in other requests than GET chooses their body.
    pub path: String,
    pub state: State,
    pub statuses: [u16; 5],
}

impl Row {
    /// A request of that line, `METHOD PATH`, for which nobody expects anything.
    pub fn request(line: &str, state: State) -> Row {
        let (method, path) = line.split_once(' ').expect("a method and a path");
        Row {
            method: method.to_owned(),
            path: path.trim().to_owned(),
            state,
            statuses: [0; 5],
        }
    }

    /// The same request by another method.
    pub fn with_method(&self, method: &str) -> Row {
        Row {
            method: method.to_owned(),
            ..self.clone()
        }
    }

    /// Its path without the query, and what follows `?`.
    pub fn parts(&self) -> (&str, &str) {
        self.path.split_once('?').unwrap_or((&self.path, ""))
    }

    /// Whether it makes what would outlive an access token.
    pub fn gives_token(&self) -> bool {
        let made = ["/api/v1/tokens", "/api/v1/share_links"];
        let is_made = self.method == "POST" && made.contains(&self.parts().0);
        self.path == "/jwt/token" || is_made
    }

    /// Whether its method changes nothing (RFC 9110, 9.2.1).
    pub fn is_safe(&self) -> bool {
        ["GET", "HEAD", "OPTIONS"].contains(&self.method.as_str())
    }

    fn parse(line: &str) -> Row {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [method, path, state, statuses @ ..] = words.as_slice() else {
            panic!("no row: {line}");
        };
        let statuses: Vec<u16> = statuses
            .iter()
            .map(|status| status.parse().expect("a status"))
            .collect();
        Row {
            method: (*method).to_owned(),
            path: (*path).to_owned(),
            state: State::named(state),
            statuses: statuses.try_into().expect("a status for each column"),
        }
    }
}

/// Every row.
pub fn rows() -> Vec<Row> {
    let lines = include_str!("table.txt").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(Row::parse).collect()
}
