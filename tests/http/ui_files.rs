//! The page and the files that it is made of.

use std::io::Read;

use flate2::read::GzDecoder;

use crate::support::TestServer;

#[test]
fn files_of_the_page_are_compressed_for_those_who_accept_it() {
    let server = TestServer::shared();
    let page = server
        .get("/")
        .header("Accept", "text/html")
        .send()
        .expect(200);
    assert_eq!(page.header("content-encoding"), None);
    let html = page.text();
    let (_, rest) = html.split_once("src=\"/assets/").expect("a script");
    let path = format!("/assets/{}", rest.split('"').next().expect("its end"));

    let plain = server.get(&path).send().expect(200);
    assert_eq!(plain.header("content-encoding"), None);
    for accepted in ["gzip", "br, GZIP;q=0.5"] {
        let small = server
            .get(&path)
            .header("Accept-Encoding", accepted)
            .send()
            .expect(200);
        assert_eq!(small.header("content-encoding"), Some("gzip"));
        assert_eq!(small.header("vary"), Some("Accept-Encoding"));
        assert_eq!(small.header("content-type"), plain.header("content-type"));
        let mut text = Vec::new();
        GzDecoder::new(&small.body[..])
            .read_to_end(&mut text)
            .expect("gzip");
        assert_eq!(text, plain.body);
        assert!(small.body.len() * 2 < plain.body.len());
    }
    for refused in ["identity", "br, gzip;q=0", "gzip;q=0.000"] {
        let answer = server
            .get(&path)
            .header("Accept-Encoding", refused)
            .send()
            .expect(200);
        assert_eq!(answer.header("content-encoding"), None, "{refused}");
        assert_eq!(answer.body, plain.body);
    }
}
