#!/usr/bin/python3
"""Plays the desktop on the session bus: shows icons in a tray and notices, as far as a test has to see them.

Prints `icon` when one has come and `notice TITLE | BODY` for each notice. Each line of its input is a deed, and its
answer one line of JSON: `tray` tells the tooltip and the labels of the menu, `click LABEL` chooses an entry,
`activate` clicks the icon.
"""
import json
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

DESCRIBED = """<node>
  <interface name="org.kde.StatusNotifierWatcher">
    <method name="RegisterStatusNotifierItem"><arg type="s" direction="in"/></method>
  </interface>
  <interface name="org.freedesktop.Notifications">
    <method name="Notify">
      <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
      <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
      <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/>
    </method>
  </interface>
</node>"""
ITEM = ("/StatusNotifierItem", "org.kde.StatusNotifierItem")
MENU = "com.canonical.dbusmenu"

bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
loop = GLib.MainLoop()
shown = {"item": None, "notices": 0}


def say(words):
    print(words, flush=True)


def called(_bus, _sender, _path, _interface, method, parameters, invocation):
    given = parameters.unpack()
    if method == "RegisterStatusNotifierItem":
        shown["item"] = given[0]
        invocation.return_value(None)
        say("icon")
        return
    shown["notices"] += 1
    invocation.return_value(GLib.Variant("(u)", (shown["notices"],)))
    say(f"notice {given[3]} | {given[4]}")


def ask(path, interface, method, parameters):
    return bus.call_sync(shown["item"], path, interface, method, parameters, None, 0, 10_000, None)


def properties():
    answer = ask(ITEM[0], "org.freedesktop.DBus.Properties", "GetAll", GLib.Variant("(s)", (ITEM[1],)))
    return answer.unpack()[0]


def entries():
    layout = ask(properties()["Menu"], MENU, "GetLayout", GLib.Variant("(iias)", (0, -1, [])))
    return layout.unpack()[1][2]


def deed(words):
    if words == "tray":
        known = properties()
        return {
            "tooltip": known["ToolTip"][3],
            "icon": len(known["IconPixmap"][0][2]),
            "menu": [given.get("label") for _id, given, _below in entries()],
        }
    if words == "activate":
        ask(*ITEM, "Activate", GLib.Variant("(ii)", (0, 0)))
        return "activated"
    label = words.removeprefix("click ")
    number = next(entry[0] for entry in entries() if entry[1].get("label") == label)
    event = GLib.Variant("(isvu)", (number, "clicked", GLib.Variant("i", 0), 0))
    ask(properties()["Menu"], MENU, "Event", event)
    return "clicked"


def read(source, _condition):
    line = source.readline()
    if line == "":
        loop.quit()
        return False
    say(json.dumps(deed(line.strip())))
    return True


for interface in Gio.DBusNodeInfo.new_for_xml(DESCRIBED).interfaces:
    kde = interface.name.startswith("org.kde")
    path = "/StatusNotifierWatcher" if kde else "/org/freedesktop/Notifications"
    bus.register_object(path, interface, called, None, None)
    Gio.bus_own_name_on_connection(bus, interface.name, Gio.BusNameOwnerFlags.NONE, None, None)
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, read)
say("ready")
loop.run()
