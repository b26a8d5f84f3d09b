#!/bin/sh
# No Web UI: neither Debian nor the Go module proxy has one. It is well, so that the rest of the compose file can be.
exec perl -MIO::Socket::INET -e '
  my $server = IO::Socket::INET->new(LocalPort => 8080, Listen => 5, ReuseAddr => 1) or die;
  while (my $client = $server->accept) {
    my $request = <$client>;
    print $client "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n";
    close $client;
  }'
