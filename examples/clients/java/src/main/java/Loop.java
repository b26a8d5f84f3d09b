import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Starts a loop by plain JSON, answers its question and accepts the version under review while it waits, and prints its result. */
public class Loop {
  static final String SPEC =
      """
      {
        "name": "haiku",
        "task": "Write a haiku about autumn rain.",
        "generator": { "action": "llm.call", "prompt": "{{ task }}", "tools": ["ask_person"] },
        "evaluator": {
          "type": "llm",
          "prompt": "Does this have 5, 7 and 5 syllables?\\n{{ state.reflection_output }}"
        },
        "maxIterations": 1,
        "review": { "when": "on_exhausted", "timeout": "1d" }
      }
      """;

  static String variable(String name, String otherwise) {
    String value = System.getenv(name);
    return value == null || value.isEmpty() ? otherwise : value;
  }

  public static void main(String[] args) throws Exception {
    WorkflowServiceStubs service =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder()
                .setTarget(variable("TEMPORAL_ADDRESS", "127.0.0.1:7233"))
                .build());
    WorkflowOptions options =
        WorkflowOptions.newBuilder().setTaskQueue(variable("REFLECT_TASK_QUEUE", "reflection")).build();
    WorkflowStub loop = WorkflowClient.newInstance(service).newUntypedWorkflowStub("reflectionLoop", options);
    loop.start(new ObjectMapper().readTree(SPEC));
    CompletableFuture<JsonNode> result = loop.getResultAsync(JsonNode.class);
    while (!result.isDone()) {
      JsonNode progress = loop.query("progress", JsonNode.class);
      System.err.println(progress.get("phase").asText() + " " + progress.get("iteration").asInt());
      JsonNode waiting = progress.path("waitingFor");
      if (waiting.has("waits")) {
        // Questions of the model, and calls that wait for approval (of the kind "approval").
        for (JsonNode wait : waiting.get("waits")) {
          String id = wait.get("id").asText();
          boolean isQuestion = wait.get("kind").asText().equals("question");
          Map<String, Object> answer =
              isQuestion
                  ? Map.of("to", id, "text", "In the city.", "by", "a Java client")
                  : Map.of("to", id, "refuse", true, "by", "a Java client");
          loop.update("answer", JsonNode.class, answer);
        }
      } else if (waiting.isObject()) {
        // Read this version (the query "history"), and accept what was read.
        int version = waiting.get("version").asInt();
        loop.update("accept", JsonNode.class, Map.of("iteration", version, "by", "a Java client"));
      }
      Thread.sleep(500);
    }
    JsonNode end = result.get();
    Map<String, JsonNode> shown = Map.of("reason", end.get("convergenceReason"), "output", end.get("finalOutput"));
    System.out.println(new ObjectMapper().writeValueAsString(shown));
    service.shutdown();
  }
}
