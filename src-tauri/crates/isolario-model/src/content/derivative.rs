//! Derivatives of an original file, and the state of each.

/// The state of a derivative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DerivativeState {
    /// It has its turn when others have had theirs.
    Waiting,
    /// It is being made.
    Running,
    /// It is there.
    Made,
    /// It could not be made this time.
    Failed,
    /// Of these bytes it cannot be made.
    Refused,
    /// Somebody else's media is in its place, and stays.
    Left,
    /// It waits for another program, which is not on this machine.
    Lacking,
}

impl DerivativeState {
    /// Every state, in the order in which derivatives pass through them.
    pub const ALL: [DerivativeState; 7] = [
        DerivativeState::Waiting,
        DerivativeState::Running,
        DerivativeState::Made,
        DerivativeState::Failed,
        DerivativeState::Refused,
        DerivativeState::Left,
        DerivativeState::Lacking,
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            DerivativeState::Waiting => "waiting",
            DerivativeState::Running => "running",
            DerivativeState::Made => "made",
            DerivativeState::Failed => "failed",
            DerivativeState::Refused => "refused",
            DerivativeState::Left => "left",
            DerivativeState::Lacking => "lacking",
        }
    }

    /// The state of that name.
    pub fn from_name(name: &str) -> Option<DerivativeState> {
        let mut states = DerivativeState::ALL.into_iter();
        states.find(|state| state.name() == name)
    }
}

/// A derivative of the bytes of an original file, made or to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derivative {
    pub id: i64,
    /// Media with the original file.
    pub mid: i64,
    /// The file, and the version of its bytes.
    pub fid: i64,
    pub version: i64,
    /// What is to be made: a name that `derive` knows.
    pub kind: String,
    /// How the picture is adjusted: `PictureAdjustment` as a text.
    pub adjustment: Option<String>,
    pub state: DerivativeState,
    /// Why it is in this state. A sentence.
    pub reason: Option<String>,
    /// How often it has failed.
    pub attempts: u32,
    /// Not before this moment, Unix seconds.
    pub due: i64,
    /// The higher, the sooner.
    pub priority: i64,
    /// The media that was made.
    pub product: Option<i64>,
    /// When its state was last changed, Unix seconds.
    pub changed: i64,
}

/// Which bytes something is to be made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OriginalBytes {
    /// Media with the original file.
    pub mid: i64,
    pub fid: i64,
    pub version: i64,
}
