"""`arena bench`: what this machine does, from a bare pipe to a farm of workers."""
