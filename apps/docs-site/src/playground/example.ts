/** Files to begin with. */
export interface Example {
  /** The folder under `examples/`, such as `replica-limits` or `kyverno/pod-rules`. */
  readonly name: string;
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
}
