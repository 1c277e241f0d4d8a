// Metrics (Prometheus) and traces (OpenTelemetry) for operators.
// May import: core/base/process; @opentelemetry/api, prom-client.
export { createMetrics, type Metrics } from "./createMetrics.ts";
export { inSpan, inSpanNow } from "./inSpan.ts";
export { openMetricsPort } from "./openMetricsPort.ts";
export { traceHeaders, traceId } from "./traceHeaders.ts";
