"""Prints the records of every mDNS message (RFC 6762) that reaches the interface with an address.

listen.py ADDRESS: first a line "ready", then one line a record: type, name, seconds to live, data.
"""

import socket
import struct
import sys

TYPES = {1: "A", 12: "PTR", 16: "TXT", 28: "AAAA", 33: "SRV"}


def name_at(message, at):
    """A name and where it ends (RFC 1035, sections 3.1 and 4.1.4)."""
    labels, end = [], None
    while message[at]:
        if message[at] >= 0xC0:
            end = end or at + 2
            at = struct.unpack_from("!H", message, at)[0] & 0x3FFF
            continue
        labels.append(message[at + 1 : at + 1 + message[at]].decode())
        at += 1 + message[at]
    return ".".join(labels), end or at + 1


def data_of(message, kind, at, length):
    if kind == "A":
        return socket.inet_ntoa(message[at : at + length])
    if kind == "PTR":
        return name_at(message, at)[0]
    if kind == "SRV":
        port = struct.unpack_from("!H", message, at + 4)[0]
        return f"{name_at(message, at + 6)[0]}:{port}"
    return message[at : at + length].hex()


def records(message):
    _, _, questions, *answers = struct.unpack_from("!6H", message)
    at = 12
    for _ in range(questions):
        at = name_at(message, at)[1] + 4
    for number in range(sum(answers)):
        name, at = name_at(message, at)
        kind, _, ttl, length = struct.unpack_from("!HHIH", message, at)
        at += 10
        kind = TYPES.get(kind, str(kind))
        # What stands in the authority section of a probe is only asked for.
        if not answers[0] <= number < answers[0] + answers[1]:
            yield kind, name, ttl, data_of(message, kind, at, length)
        at += length


def main():
    listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("", 5353))
    group = socket.inet_aton("224.0.0.251") + socket.inet_aton(sys.argv[1])
    listener.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
    print("ready", flush=True)
    while True:
        for kind, name, ttl, data in records(listener.recv(9000)):
            print(kind, name, f"ttl={ttl}", data, flush=True)


main()
