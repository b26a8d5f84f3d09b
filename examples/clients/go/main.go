// Starts a loop by plain JSON, answers its question and accepts the version under review while it waits, and prints its result.
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
  "generator": { "action": "llm.call", "prompt": "{{ task }}", "tools": ["ask_person"] },
  "evaluator": { "type": "llm", "prompt": "Does this have 5, 7 and 5 syllables?\n{{ state.reflection_output }}" },
  "maxIterations": 1,
  "review": { "when": "on_exhausted", "timeout": "1d" }
}`

type progress struct {
	Phase      string `json:"phase"`
	Iteration  int    `json:"iteration"`
	WaitingFor *struct {
		Version int `json:"version"`
		Waits   []struct {
			ID   string `json:"id"`
			Kind string `json:"kind"`
		} `json:"waits"`
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

func send(ctx context.Context, c client.Client, id, command string, payload map[string]any) {
	payload["by"] = "a Go client"
	update, err := c.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		WorkflowID:   id,
		UpdateName:   command,
		Args:         []any{payload},
		WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := update.Get(ctx, nil); err != nil {
		log.Fatal(err)
	}
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
		// Questions of the model, and calls that wait for approval (of the kind "approval").
		for _, wait := range now.WaitingFor.Waits {
			answer := map[string]any{"to": wait.ID, "refuse": true}
			if wait.Kind == "question" {
				answer = map[string]any{"to": wait.ID, "text": "In the city."}
			}
			send(ctx, c, run.GetID(), "answer", answer)
		}
		if len(now.WaitingFor.Waits) > 0 {
			continue
		}
		// Read this version (the query "history"), and accept what was read.
		send(ctx, c, run.GetID(), "accept", map[string]any{"iteration": now.WaitingFor.Version})
		accepted = true
	}
	var end result
	if err := run.Get(ctx, &end); err != nil {
		log.Fatal(err)
	}
	text, _ := json.Marshal(map[string]any{"reason": end.ConvergenceReason, "output": end.FinalOutput})
	fmt.Println(string(text))
}
