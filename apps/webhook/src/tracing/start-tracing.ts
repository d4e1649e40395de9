import type { TracingSettings } from '../configuration/configuration.ts';
import type { Tracing } from './tracing.ts';

/** Begins to trace; the libraries are loaded here and nowhere else. */
export async function startTracing(
  settings: TracingSettings,
  failed: (problem: string) => void,
): Promise<Tracing> {
  const { OtlpTracing } = await import('./otlp-tracing.ts');
  return OtlpTracing.start(settings, failed);
}
