//! Deletions, which may be asked for again: what is gone stays gone.

use std::error::Error as Cause;

use object_store::Error;
use object_store::client::{HttpError, HttpErrorKind};

/// Times that a deletion is asked for again: as often as an upload may leave a broken connection behind, which is once
/// for each of the parts that it sends at the same time. A store that refuses a part may close its connection before all
/// of the part has come.
const AGAIN: usize = 3;

/// Asks for a deletion, and asks again where a connection broke before the answer. `object_store` does so only for
/// methods that change nothing (RFC 9110 section 9.2.1), although DELETE may be repeated as well (section 9.2.2).
///
/// # Errors
/// The last answer.
pub(crate) async fn repeated<A>(ask: impl Fn() -> A) -> Result<(), Error>
where
    A: Future<Output = Result<(), Error>>,
{
    let mut answer = ask().await;
    for _ in 0..AGAIN {
        match &answer {
            Err(error) if is_interrupted(error) => answer = ask().await,
            _ => break,
        }
    }
    answer
}

fn is_interrupted(error: &Error) -> bool {
    let mut cause: Option<&(dyn Cause + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<HttpError>() {
            return error.kind() == HttpErrorKind::Interrupted;
        }
        cause = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;

    use crate::Bucket;
    use isolario_config::{BucketCredentials, BucketRules};

    #[tokio::test]
    async fn a_deletion_goes_on_where_a_connection_breaks() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let rules = BucketRules {
            bucket: "archive".to_owned(),
            endpoint: Some(format!("http://{}", listener.local_addr().unwrap())),
            region: "us-east-1".to_owned(),
            prefix: String::new(),
            credentials: None,
            cache_megabytes: 0,
            timeout_seconds: 60,
        };
        let credentials = BucketCredentials {
            access_key_id: "KEY".to_owned(),
            secret_access_key: "SECRET".to_owned(),
            session_token: None,
        };
        let store = std::thread::spawn(move || {
            for _ in 0..2 {
                let (broken, _) = listener.accept().unwrap();
                // The system resets a connection that is closed with bytes in it that nobody has read.
                broken.peek(&mut [0]).unwrap();
                drop(broken);
                let (mut whole, _) = listener.accept().unwrap();
                let head = BufReader::new(&whole).lines().map(Result::unwrap);
                assert!(head.take_while(|line| !line.is_empty()).count() > 1);
                let answer = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";
                whole.write_all(answer).unwrap();
            }
        });
        let bucket = Bucket::open(&rules, &credentials).unwrap();
        bucket.end_upload("a.txt", "1").await.unwrap();
        bucket.remove("a.txt").await.unwrap();
        store.join().unwrap();
    }
}
