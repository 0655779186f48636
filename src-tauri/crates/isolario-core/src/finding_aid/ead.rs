//! A finding aid in EAD 3 (Encoded Archival Description, Tag Library Version EAD3 1.1.1).

use chrono::Utc;

use super::Heading;
use super::members::Member;
use isolario_model::fields::iso;
use isolario_model::formats::xml::escape;

const NAMESPACE: &str = "http://ead3.archivists.org/schema/";

/// What stands before the components: `control`, and the description of the collection.
pub(super) fn begin(heading: &Heading<'_>, description: &str) -> String {
    let now = iso(Utc::now().timestamp());
    let [repository, title, address] =
        [heading.repository, heading.title, &heading.address].map(escape);
    let program = format!("Isolario {}", env!("CARGO_PKG_VERSION"));
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<ead xmlns=\"{NAMESPACE}\">
<control>
  <recordid instanceurl=\"{address}\">{address}</recordid>
  <filedesc>
    <titlestmt>
      <titleproper>{title}</titleproper>
    </titlestmt>
  </filedesc>
  <maintenancestatus value=\"derived\"/>
  <maintenanceagency>
    <agencyname>{repository}</agencyname>
  </maintenanceagency>
  <maintenancehistory>
    <maintenanceevent>
      <eventtype value=\"derived\"/>
      <eventdatetime standarddatetime=\"{now}\">{now}</eventdatetime>
      <agenttype value=\"machine\"/>
      <agent>{program}</agent>
    </maintenanceevent>
  </maintenancehistory>
</control>
<archdesc level=\"collection\">
{description}"
    )
}

/// The beginning of a component, with its description.
pub(super) fn open(member: &Member, depth: usize) -> String {
    let level = match (member.is_collection, depth) {
        (false, _) => "item",
        (true, 1) => "series",
        (true, _) => "subseries",
    };
    format!("<c level=\"{level}\">\n{}", member.text)
}
