# Says `ready`, then listens until the end.
use strict;
use warnings;
use JSON::PP;

$| = 1;
while (my $line = <STDIN>) {
    my $message = decode_json($line);
    print encode_json({type => "ready", protocol => 1, name => "bench"}), "\n"
        if $message->{type} eq "hello";
}
