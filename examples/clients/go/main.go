// Starts a loop by plain JSON, accepts the version under review while it waits, and prints its result.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"

	"go.temporal.io/sdk/client"
)

const spec = `{
  "name": "haiku",
  "task": "Write a haiku about autumn rain.",
  "generator": { "action": "llm.call", "prompt": "{{ task }}" },
  "evaluator": { "type": "llm", "prompt": "Does this have 5, 7 and 5 syllables?\n{{ state.reflection_output }}" },
  "maxIterations": 1,
  "review": { "when": "on_exhausted", "timeout": "1d" }
}`

type progress struct {
	Phase      string `json:"phase"`
	Iteration  int    `json:"iteration"`
	WaitingFor *struct {
		Version int `json:"version"`
	} `json:"waitingFor"`
}

type result struct {
	ConvergenceReason string `json:"convergenceReason"`
	FinalOutput       any    `json:"finalOutput"`
}

func variable(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func main() {
	ctx := context.Background()
	c, err := client.Dial(client.Options{HostPort: variable("TEMPORAL_ADDRESS", "127.0.0.1:7233")})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	options := client.StartWorkflowOptions{TaskQueue: variable("REFLECT_TASK_QUEUE", "reflection")}
	run, err := c.ExecuteWorkflow(ctx, options, "reflectionLoop", json.RawMessage(spec))
	if err != nil {
		log.Fatal(err)
	}
	for accepted := false; !accepted; time.Sleep(500 * time.Millisecond) {
		answer, err := c.QueryWorkflow(ctx, run.GetID(), "", "progress")
		if err != nil {
			log.Fatal(err)
		}
		var now progress
		if err := answer.Get(&now); err != nil {
			log.Fatal(err)
		}
		log.Println(now.Phase, now.Iteration)
		if now.Phase == "done" {
			break
		}
		if now.WaitingFor == nil {
			continue
		}
		// Read this version (the query "history"), and accept what was read.
		version := now.WaitingFor.Version
		update, err := c.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
			WorkflowID:   run.GetID(),
			UpdateName:   "accept",
			Args:         []any{map[string]any{"iteration": version, "by": "a Go client"}},
			WaitForStage: client.WorkflowUpdateStageCompleted,
		})
		if err != nil {
			log.Fatal(err)
		}
		if err := update.Get(ctx, nil); err != nil {
			log.Fatal(err)
		}
		accepted = true
	}
	var end result
	if err := run.Get(ctx, &end); err != nil {
		log.Fatal(err)
	}
	text, _ := json.Marshal(map[string]any{"reason": end.ConvergenceReason, "output": end.FinalOutput})
	fmt.Println(string(text))
}
