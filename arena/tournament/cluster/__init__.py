"""A second farm: the machines of a Dask cluster (extra `cluster`).

```
farm.py    what is to be played, and with which bots
roll.py    who of the cluster plays
member.py  one Dask worker as the tournament sees it: batches out, results in
link.py    Dask's client, as Trio calls it
order.py   what a Dask worker is told of a run, and what it answers
──── what is above runs where the tournament does, what is below in the cluster
hands.py   in the Dask worker: keeps our worker processes, and hands batches to them
muster.py  a program beside it: can this machine play that? Brings the bots into place
bundle.py  a bot on its way there
```
"""
