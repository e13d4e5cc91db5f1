"""Tables in the browser, where people and bots play.

A person sits at a table as a bot does: gets `act`, answers `action`, and never sees more than that.
Each table has a referee in a process of its own, so that whoever watches cannot slow it.
"""
