// Numbers and traces for those who run hosts: metrics of Prometheus, spans of OpenTelemetry.
// May import: core/base/process; @opentelemetry/api, prom-client.
export { createMetrics, type Metrics } from "./createMetrics.ts";
export { inSpan, inSpanNow } from "./inSpan.ts";
export { openMetricsPort } from "./openMetricsPort.ts";
export { traceHeaders, traceId } from "./traceHeaders.ts";
