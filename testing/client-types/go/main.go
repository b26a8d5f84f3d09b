// Reads a result, and makes a spec, with the types that a generator made of the JSON Schemas.
package main

import (
	"encoding/json"
	"os"

	"example.com/types/result"
	"example.com/types/spec"
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var read result.ReflectionResult
	if err := json.Unmarshal(text, &read); err != nil {
		panic(err)
	}
	asked := spec.ReflectionSpec{
		Generator: spec.LlmCallStep{Action: "llm.call", Prompt: pointer("Say ready.")},
		Evaluator: spec.RegexEvaluator{Type: "regex", Pattern: "ready"},
	}
	written, err := json.Marshal(map[string]any{"reason": read.ConvergenceReason, "spec": asked})
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(written)
}

func pointer[Value any](value Value) *Value { return &value }
