"""Reads a result, and makes a spec, with the types that a generator made of the JSON Schemas."""

import json
import sys
from pathlib import Path

from result import ReflectionResult
from spec import LlmCallStep, ReflectionSpec, RegexEvaluator

result = ReflectionResult.model_validate_json(Path(sys.argv[1]).read_text(encoding="utf-8"))
spec = ReflectionSpec(
    generator=LlmCallStep(action="llm.call", prompt="Say ready."),
    evaluator=RegexEvaluator(type="regex", pattern="ready"),
)
# Unset fields are written as null.
print(json.dumps({"reason": result.convergenceReason.value, "spec": json.loads(spec.model_dump_json(warnings=False))}))
