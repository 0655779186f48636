#!/usr/bin/python3
"""A small window in the top left corner from which FILEs can be dragged, as from a file manager.

Usage: drag-source.py FILE...   Prints what becomes of the drag, a word a line.
"""
import pathlib
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk

uris = [pathlib.Path(name).resolve().as_uri() for name in sys.argv[1:]]


def say(word):
    print(word, flush=True)


def hand_over(_widget, _context, data, _info, _time):
    say("asked")
    data.set_uris(uris)


# A popup is placed by us and not by the window manager.
window = Gtk.Window(type=Gtk.WindowType.POPUP)
window.set_default_size(120, 60)
window.move(0, 0)
handle = Gtk.EventBox()
handle.add(Gtk.Label(label="files"))
handle.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
handle.drag_source_add_uri_targets()
handle.connect("drag-begin", lambda *_: say("begun"))
handle.connect("drag-data-get", hand_over)
handle.connect("drag-failed", lambda *_: say("failed"))
handle.connect("drag-end", lambda *_: say("ended"))
window.add(handle)
window.show_all()
say("ready")
Gtk.main()
