//! What this machine can do at most: small programs that do the bare work of one figure each.

mod bare;
mod copies;
mod copy;
mod files;
mod insert;
mod select;
pub mod store;

/// Runs the limit of that name with its arguments.
pub fn run(arguments: &[String]) {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["select", database, address] => select::serve(database, address),
        ["bare", database, group, seconds] => bare::run(database, group, seconds),
        ["insert", database, work, group, seconds] => insert::run(database, work, group, seconds),
        ["served-rows", database, work, address] => insert::serve(database, work, address),
        ["copy", source, target] => copy::run(source, target),
        ["copies", source, target] => copies::run(source, target),
        ["files", directory, count, size, database] => files::run(database, directory, count, size),
        ["store", directory, address] => store::serve(directory, address),
        ["forward", endpoint, address] => store::forward(endpoint, address),
        ["object", work, endpoint, source, count, connections] => {
            store::run(work, endpoint, source, count, connections);
        }
        ["names", directory, count, size, database @ ..] => {
            files::run_one_by_one(directory, count, size, database.first().copied());
        }
        other => panic!("no limit {other:?}"),
    }
}

fn serve(address: &str, router: axum::Router) {
    use axum::serve::ListenerExt;
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(address)
            .await
            .expect("the address");
        let listener = listener.tap_io(|stream| stream.set_nodelay(true).expect("a socket"));
        axum::serve(listener, router).await.expect("served");
    });
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse()
        .unwrap_or_else(|_| panic!("{text} is no number"))
}
