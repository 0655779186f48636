//! The use of second factors.

use rusqlite::params;

use super::{DbError, Write};

impl Write<'_> {
    /// Notes that the code of a step (the number of its 30 seconds) lets an account in. False: it, or a later one, has
    /// done so before.
    pub fn use_second_factor(&mut self, uid: i64, step: i64) -> Result<bool, DbError> {
        let mut statement = self.connection.prepare_cached(
            "UPDATE user SET second_factor_step = ?2 WHERE uid = ?1 AND second_factor_step < ?2",
        )?;
        Ok(statement.execute(params![uid, step])? > 0)
    }
}
