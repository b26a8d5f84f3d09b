// Temporal's server with PostgreSQL alone, without the drivers of other databases, which take long to build.
package main

import (
	stdlog "log"

	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/log"
	_ "go.temporal.io/server/common/persistence/sql/sqlplugin/postgresql"
	"go.temporal.io/server/temporal"
)

func main() {
	settings, err := config.Load(config.WithEmbedded())
	if err != nil {
		stdlog.Fatalf("configuration: %v", err)
	}
	server, err := temporal.NewServer(
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithConfig(settings),
		temporal.WithLogger(log.NewZapLogger(log.BuildZapLogger(settings.Log))),
		temporal.InterruptOn(temporal.InterruptCh()),
		temporal.WithAuthorizer(authorization.NewNoopAuthorizer()),
	)
	if err != nil {
		stdlog.Fatalf("server: %v", err)
	}
	if err := server.Start(); err != nil {
		stdlog.Fatalf("start: %v", err)
	}
}
