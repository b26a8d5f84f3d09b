"""Starts a loop by plain JSON, answers its question and accepts the version under review while it waits, and prints its result."""

import asyncio
import json
import os
import sys
import uuid

from temporalio.client import Client

SPEC = {
    "name": "haiku",
    "task": "Write a haiku about autumn rain.",
    "generator": {"action": "llm.call", "prompt": "{{ task }}", "tools": ["ask_person"]},
    "evaluator": {
        "type": "llm",
        "prompt": "Does this have 5, 7 and 5 syllables?\n{{ state.reflection_output }}",
    },
    "maxIterations": 1,
    "review": {"when": "on_exhausted", "timeout": "1d"},
}


async def main() -> None:
    client = await Client.connect(os.environ.get("TEMPORAL_ADDRESS") or "127.0.0.1:7233")
    handle = await client.start_workflow(
        "reflectionLoop",
        SPEC,
        id=f"haiku-{uuid.uuid4()}",
        task_queue=os.environ.get("REFLECT_TASK_QUEUE") or "reflection",
    )
    result = asyncio.create_task(handle.result())
    while not result.done():
        progress = await handle.query("progress")
        print(progress["phase"], progress["iteration"], file=sys.stderr)
        waiting = progress.get("waitingFor")
        if waiting and "waits" in waiting:
            # Questions of the model, and calls that wait for approval ("kind": "approval").
            for wait in waiting["waits"]:
                answer = {"text": "In the city."} if wait["kind"] == "question" else {"refuse": True}
                await handle.execute_update("answer", {"to": wait["id"], **answer, "by": "a Python client"})
        elif waiting:
            # Read this version (the query "history"), and accept what was read.
            version = waiting["version"]
            await handle.execute_update("accept", {"iteration": version, "by": "a Python client"})
        await asyncio.sleep(0.5)
    run = await result
    print(json.dumps({"reason": run["convergenceReason"], "output": run["finalOutput"]}))


asyncio.run(main())
