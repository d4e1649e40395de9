/** A test of `@bufbuild/cel-spec`: JSON of cel-spec's `SimpleTest`, and cel-go's results. */
export interface ConformanceTest {
  readonly original: SimpleTest;
  /** The tree in cel-go's debug form, each node with its kind. */
  readonly ast?: string;
  /** The tree with types and references. */
  readonly checkedAst?: string;
  readonly type?: string;
  readonly error?: string;
}

export interface SimpleTest {
  readonly name?: string;
  readonly expr: string;
  readonly container?: string;
  readonly disableCheck?: boolean;
  readonly disableMacros?: boolean;
  readonly checkOnly?: boolean;
  readonly typeEnv?: readonly Declaration[];
  readonly bindings?: Readonly<Record<string, { readonly value: JsonValue }>>;
  readonly value?: JsonValue;
  readonly evalError?: unknown;
  readonly typedResult?: { readonly result?: JsonValue; readonly deducedType?: JsonType };
}

export interface Declaration {
  readonly name: string;
  readonly ident?: { readonly type: JsonType };
  readonly function?: {
    readonly overloads: readonly {
      readonly overloadId: string;
      readonly params?: readonly JsonType[];
      readonly resultType: JsonType;
      readonly isInstanceFunction?: boolean;
    }[];
  };
}

/** JSON of `cel.expr.Value`. */
export interface JsonValue {
  readonly boolValue?: boolean;
  readonly bytesValue?: string;
  readonly doubleValue?: number | string;
  readonly int64Value?: string;
  readonly listValue?: { readonly values?: readonly JsonValue[] };
  readonly mapValue?: {
    readonly entries?: readonly { readonly key: JsonValue; readonly value: JsonValue }[];
  };
  readonly nullValue?: unknown;
  readonly objectValue?: Readonly<Record<string, unknown>> & { readonly '@type': string };
  readonly stringValue?: string;
  readonly typeValue?: string;
  readonly uint64Value?: string;
}

/** JSON of `cel.expr.Type`. */
export interface JsonType {
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly JsonType[] };
  readonly dyn?: unknown;
  readonly error?: unknown;
  readonly listType?: { readonly elemType?: JsonType };
  readonly mapType?: { readonly keyType?: JsonType; readonly valueType?: JsonType };
  readonly messageType?: string;
  readonly null?: unknown;
  readonly primitive?: string;
  readonly type?: JsonType;
  readonly typeParam?: string;
  readonly wellKnown?: string;
  readonly wrapper?: string;
}

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly ConformanceTest[];
}

/** All tests of a suite by their path in it; tests of the same name are numbered. */
export function flatten(suite: Suite): ReadonlyMap<string, ConformanceTest> {
  const tests = new Map<string, ConformanceTest>();
  const visit = ({ suites = [], tests: own = [] }: Suite, path: string): void => {
    for (const test of own) {
      const name = `${path}${test.original.name ?? test.original.expr.replace(/\s+/g, ' ').trim()}`;
      let unique = name;
      for (let count = 2; tests.has(unique); count++) unique = `${name} (${count})`;
      tests.set(unique, test);
    }
    for (const inner of suites) visit(inner, `${path}${inner.name}/`);
  };
  visit(suite, '');
  return tests;
}

/**
 * Whether a test needs messages of a protobuf schema: messages or enums of the suite's own, or
 * `google.protobuf.Any` around them.
 */
export function needsMessages({ original }: ConformanceTest): boolean {
  return /cel\.expr\.conformance|google\.(expr\.)?proto[23]|api\.expr|TestAllTypes|enumValue|proto\.(hasExt|getExt)/.test(
    JSON.stringify(original),
  );
}
