#!/usr/bin/python3
"""A small window at the right edge of the screen that takes files, as a file manager does.

Usage: drop-target.py FOLDER   Copies what is dropped into FOLDER. Prints what happens, a word a line: `ready X Y` with
the point to drop at, `over` when something hangs over it, and `took NAME` for each file.
"""
import pathlib
import shutil
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gio, GLib, Gtk

WIDTH, HEIGHT = 120, 90
folder = pathlib.Path(sys.argv[1])


def say(word):
    print(word, flush=True)


def take(_widget, context, _x, _y, data, _info, time):
    for uri in data.get_uris():
        path = pathlib.Path(Gio.File.new_for_uri(uri).get_path())
        shutil.copy(path, folder / path.name)
        say(f"took {path.name}")
    Gtk.drag_finish(context, True, False, time)


def place():
    # Its middle, at the right edge: the window under test is not there.
    screen = Gdk.Screen.get_default()
    left, top = screen.get_width() - WIDTH, (screen.get_height() - HEIGHT) // 2
    window.move(left, top)
    window.show_all()
    say(f"ready {left + WIDTH // 2} {top + HEIGHT // 2}")
    return False


# A popup is placed by us and not by the window manager.
window = Gtk.Window(type=Gtk.WindowType.POPUP)
window.set_default_size(WIDTH, HEIGHT)
window.add(Gtk.Label(label="folder"))
window.drag_dest_set(Gtk.DestDefaults.ALL, [], Gdk.DragAction.COPY)
window.drag_dest_add_uri_targets()
window.connect("drag-motion", lambda *_: say("over"))
window.connect("drag-data-received", take)
GLib.idle_add(place)
Gtk.main()
