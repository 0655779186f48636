//! A finding aid as a page to read and to print. It needs nothing else: no script, no style sheet, no picture.

use super::Heading;
use super::members::Member;
use isolario_model::formats::xml::escape;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;color:#1c1c1a;max-width:48rem;margin:2rem auto;\
padding:0 1rem}header{border-bottom:2px solid #0c6158;margin-bottom:1rem}header p{margin:0;color:#5c5c58}\
h1{margin:.25rem 0 .75rem;font-size:1.75rem}h2,h3,h4,h5,h6{margin:1.25rem 0 .25rem;font-size:1.05rem}\
h2{font-size:1.3rem}section section{margin-left:1.25rem}a{color:#0c6158;text-decoration:none}a:hover{text-decoration:underline}dl{display:grid;\
grid-template-columns:10rem 1fr;gap:.1rem 1rem;margin:0}dt{color:#5c5c58}dd{margin:0;white-space:pre-line}\
@media print{body{margin:0;max-width:none}h2,h3,h4,h5,h6{break-after:avoid}dl{break-inside:avoid}\
a{color:inherit}}";

/// What stands before the components.
pub(super) fn begin(heading: &Heading<'_>, description: &str) -> String {
    let [repository, title, address] =
        [heading.repository, heading.title, &heading.address].map(escape);
    format!(
        "<!doctype html>
<html>
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
<header>
<p>{repository}</p>
<h1 dir=\"auto\"><a href=\"{address}\">{title}</a></h1>
</header>
<main>
{description}"
    )
}

/// The beginning of a component, with its description.
pub(super) fn open(member: &Member, depth: usize) -> String {
    let heading = format!("h{}", (depth + 1).min(6));
    let [address, title] = [&member.address, &member.title].map(|text| escape(text));
    format!(
        "<section>\n<{heading} dir=\"auto\"><a href=\"{address}\">{title}</a></{heading}>\n{}",
        member.text
    )
}
