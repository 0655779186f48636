//! The server carries the built user interface inside it; without one it serves the REST interface alone.

fn main() -> std::io::Result<()> {
    let built = "../../../ui/dist-gzip";
    println!("cargo:rerun-if-changed={built}");
    std::fs::create_dir_all(built)
}
