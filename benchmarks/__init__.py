"""Measurements that are no tests: nothing here is collected by `make test`."""
