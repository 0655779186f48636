//! What was measured, as a table and as JSON.

use serde::Serialize;

/// Which way a ratio should go.
#[derive(Debug, Clone, Copy, Serialize)]
pub enum Goal {
    AtLeast(f64),
    AtMost(f64),
}

impl Goal {
    fn is_met(self, ratio: f64) -> bool {
        match self {
            Goal::AtLeast(least) => ratio >= least,
            Goal::AtMost(most) => ratio <= most,
        }
    }

    fn words(self) -> String {
        match self {
            Goal::AtLeast(least) => format!("≥ {least}"),
            Goal::AtMost(most) => format!("≤ {most}"),
        }
    }
}

/// One line of the table: a figure beside the machine's own limit.
#[derive(Debug, Clone, Serialize)]
pub struct Figure {
    pub work: String,
    /// One value for each round.
    pub measured: Vec<f64>,
    pub limits: Vec<f64>,
    pub unit: &'static str,
    /// What the limit is.
    pub limit: &'static str,
    /// What is on disk when an answer is given, here and in the limit.
    pub durability: &'static str,
    pub goal: Goal,
}

impl Figure {
    /// Median against median.
    pub fn ratio(&self) -> f64 {
        median(&self.measured) / median(&self.limits)
    }

    fn line(&self) -> String {
        let (ratio, goal) = (self.ratio(), self.goal);
        format!(
            "| {} | {} | {} | {} | {:.2} | {} | {} | {} |",
            self.work,
            number(median(&self.measured)),
            number(median(&self.limits)),
            self.unit,
            ratio,
            goal.words(),
            if goal.is_met(ratio) { "yes" } else { "no" },
            self.durability,
        )
    }
}

/// The middle value.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

fn number(value: f64) -> String {
    match value {
        large if large >= 100.0 => format!("{large:.0}"),
        middle if middle >= 10.0 => format!("{middle:.1}"),
        small => format!("{small:.2}"),
    }
}

/// Everything of one run.
#[derive(Debug, Serialize)]
pub struct Report {
    pub machine: String,
    pub at: String,
    pub figures: Vec<Figure>,
}

impl Report {
    /// Nothing measured yet.
    pub fn new() -> Report {
        Report {
            machine: super::machine::description(),
            at: chrono::Utc::now().format("%Y-%m-%d %H:%M UTC").to_string(),
            figures: Vec::new(),
        }
    }

    /// Keeps a figure, and says it at once: a run takes minutes.
    pub fn add(&mut self, figure: Figure) {
        println!("{}   (limit: {})", figure.line(), figure.limit);
        self.figures.push(figure);
    }

    /// The table in Markdown.
    pub fn table(&self) -> String {
        let head = "| work | Isolario | limit | unit | ratio | to reach | reached | durability |\n|---|---:|---:|---|---:|---|---|---|";
        let lines = self.figures.iter().map(Figure::line);
        std::iter::once(head.to_owned())
            .chain(lines)
            .collect::<Vec<_>>()
            .join("\n")
    }
}
