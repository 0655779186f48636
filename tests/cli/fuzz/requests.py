"""What schemathesis cannot read in the document: which things are there, and what a body needs to get past the
first check. Three paths and bodies of four are led to something that exists; the others stay as they were generated,
and so does what was made wrong on purpose. The same generated request always becomes the same request.

And which of its findings are explained, by the lines of `explained.txt`."""

import fnmatch
import json
import os
import zlib

import schemathesis
from schemathesis.core.parameters import ParameterLocation

with open(os.environ["FUZZ_KNOWN"], encoding="utf-8") as file:
    KNOWN = json.load(file)

# Of this run: actor, check, operation, words of the finding, reason; and where it is written down which were needed.
with open(os.environ["FUZZ_EXPLAINED"], encoding="utf-8") as file:
    LINES = [[part.strip() for part in line.split("|")] for line in file if line.strip() and not line.startswith("#")]
EXPLAINED = [line for line in LINES if line[0] in (os.environ["FUZZ_ACTOR"], "both")]
NEEDED = os.environ["FUZZ_NEEDED"]

# Names of resources in bodies: the key that names the bundle.
BUNDLE_KEYS = {"Node": "type", "MediaResource": "bundle", "TermResource": "vid"}

# Where resources are written in JSON, and which.
KINDS = {"/node": "Node", "/media": "MediaResource", "/entity/media": "MediaResource", "/taxonomy": "TermResource"}
# Things with a history, and the name of their id.
NOUNS = {"items": "nid", "media": "mid", "terms": "tid"}
ENDINGS = {"image": "png", "document": "pdf", "audio": "mp3"}
MEMBERS = [
    "value", "format", "summary", "target_id", "target_type", "target_uuid", "url", "alt", "title", "width", "height",
    "uri", "source", "lat", "lng", "rel_type", "processed", "description",
]


def number(*parts):
    """A number that hangs on nothing but the parts."""
    return zlib.crc32(repr(parts).encode("utf-8", "surrogatepass"))


def choose(names, *parts):
    return names[number(*parts) % len(names)]


@schemathesis.hook
def before_call(context, case, kwargs):
    """Called with every request, just before it is sent."""
    operation = (case.method, case.path)
    parameters = {} if is_wrong(case, ParameterLocation.PATH) else case.path_parameters or {}
    # A revision is one of the thing that was chosen before.
    for name, value in sorted(parameters.items(), key=lambda parameter: parameter[0] == "vid"):
        known = places(case, name)
        if known and number(operation, name, value) % 4:
            parameters[name] = str(choose(known, operation, name, value))
    if isinstance(case.body, dict) and not is_wrong(case, ParameterLocation.BODY):
        case.body = body(case, case.body)
    if str((case.query or {}).get("since")) == "0":
        # The version at the beginning: the answer would wait for something to happen.
        case.query["since"] = 1
    if case.path == "/api/v1/server":
        case.body = without_network(case.body)
    if not is_wrong(case, ParameterLocation.HEADER):
        case.headers.update(headers(case))
    if case.method == "PUT" and not case.body and not is_wrong(case, ParameterLocation.BODY):
        case.body = "text"


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether a finding stands: it does, unless a line explains it."""
    return not any([explains(line, failure, case, response) for line in EXPLAINED])


def explains(line, failure, case, response):
    """Whether a line is about a finding; that it was needed is written down."""
    _, check, operation, words, _ = line
    finding = f"{failure.message}\n[{response.status_code}] {message(response)}"
    is_about = check in failure.checks and any(part in finding for part in words.split(" // "))
    if not is_about or not fnmatch.fnmatchcase(f"{case.method} {case.path}", operation):
        return False
    with open(NEEDED, "a", encoding="utf-8") as needed:
        needed.write(" | ".join(line) + "\n")
    return True


def message(response):
    """What a refusal says."""
    text = (response.content or b"").decode("utf-8", "replace")
    try:
        answer = json.loads(text)
    except ValueError:
        return text
    return answer.get("message", text) if isinstance(answer, dict) else text


def is_wrong(case, location):
    """Whether a part of the request was made wrong on purpose."""
    part = case.meta.components.get(location) if case.meta else None
    return part is not None and part.mode.is_negative


def without_network(sent):
    """The network on which this runs belongs to others: nothing is switched on."""
    if isinstance(sent, dict):
        return {name: without_network(value) for name, value in sent.items()}
    return False if sent is True else sent


def headers(case):
    """Headers that let a request in."""
    name = number(case.method, case.path, case.body)
    if "If-Match" in case.headers:
        case.headers["If-Match"] = "*"
    if case.path.startswith(("/node/{nid}/media", "/media/add_derivative")):
        ending = ENDINGS.get(case.path_parameters.get("media_type"), "txt")
        return {"Content-Location": f"public://fuzz/{name}.{ending}", "Upload-Complete": choose(("?0", "?1"), name)}
    if case.path.startswith("/file/upload"):
        ending = ENDINGS.get(case.path_parameters["bundle"], "txt")
        return {"Content-Disposition": f'file; filename="{name}.{ending}"', "Content-Type": "application/octet-stream"}
    if case.path == "/api/v1/uploads/{id}":
        return {"Upload-Offset": choose(("0", "1", "9"), name), "Upload-Complete": choose(("?0", "?1"), name)}
    return {}


@schemathesis.serializer("application/partial-upload", "application/zip")
def part(context, value):
    """The next bytes of an upload, or what is no archive."""
    return {"data": value if isinstance(value, bytes) else json.dumps(value, default=str).encode()}


def places(case, name):
    """What a part of the path may name. What may be deleted is not what others need."""
    known = KNOWN["path"].get(name, [])
    if name == "vid":
        noun, thing = next((noun, case.path_parameters[name]) for noun, name in NOUNS.items() if noun in case.path)
        return KNOWN["vids"][noun].get(str(thing), [])
    if name == "id" and "/uploads/" in case.path:
        return KNOWN["uploads"]
    if name == "id" and "/saved-searches/" in case.path:
        # The other known ids are of other things.
        return []
    if case.method == "DELETE" and name in KNOWN["doomed"]:
        return KNOWN["doomed"][name]
    if case.method == "PATCH" and name == "uid":
        return KNOWN["doomed"]["uid"]
    return known


def body(case, sent):
    """A body with the bundle and the field names of the content model, and members that fields know."""
    change = sent.get("change")
    if case.path == "/api/v1/batches" and isinstance(change, dict) and change.get("act") in ("delete", "purge"):
        # What may be deleted is not what others need.
        return {**sent, "items": {"nids": KNOWN["doomed"]["nid"]}}
    kind = next((kind for prefix, kind in KINDS.items() if case.path.startswith(prefix)), None)
    if kind is None or number(sent) % 4 == 0:
        return sent
    key = BUNDLE_KEYS[kind]
    bundle = choose(sorted(KNOWN["fields"][kind]), case.path, sent)
    fields = KNOWN["fields"][kind][bundle]
    led = {}
    for name, value in sent.items():
        field = name if name in fields else choose(fields, bundle, name)
        led[field] = members(value)
    led[key] = [{"target_id": bundle}]
    for name in ("title", "name"):
        if number(sent, name) % 4:
            led[name] = [{"value": "Fuzz"}]
    return led


def members(value):
    """The items of a field, with the names of members that field types know."""
    if not isinstance(value, list):
        return value
    return [
        {choose(MEMBERS, name): one for name, one in item.items()} if isinstance(item, dict) else item
        for item in value
    ]
