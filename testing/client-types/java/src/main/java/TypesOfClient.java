import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.util.Map;
import reflection.ReflectionResult;
import reflection.ReflectionSpec;

/** Reads a result, and makes a spec, with the types that a generator made of the JSON Schemas. */
public class TypesOfClient {
  public static void main(String[] args) throws Exception {
    // Results of later releases have more fields.
    ObjectMapper mapper = new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);
    ReflectionResult result = mapper.readValue(new File(args[0]), ReflectionResult.class);
    ReflectionSpec spec = new ReflectionSpec();
    // A union is an Object in Java.
    spec.setGenerator(Map.of("action", "llm.call", "prompt", "Say ready."));
    spec.setEvaluator(Map.of("type", "regex", "pattern", "ready"));
    String reason = result.getConvergenceReason().value();
    System.out.print(mapper.writeValueAsString(Map.of("reason", reason, "spec", spec)));
  }
}
