import type { CelError, Type, Value } from '@kubeadmit/cel';
import { opaqueType } from '@kubeadmit/cel/types';
import { noOverload, OpaqueValue } from '@kubeadmit/cel/values';
import type { CelSources } from './sources.ts';

/** The name of a variable whose functions ask for data. */
export type ContextName = 'resource' | 'http' | 'image' | 'globalContext' | 'json' | 'yaml';

/** The types of the variables whose functions ask for data (Kyverno's `Context` of each library). */
export const contextTypes: Readonly<Record<ContextName, Type>> = {
  resource: opaqueType('resource.Context'),
  http: opaqueType('http.Context'),
  image: opaqueType('imagedata.Context'),
  globalContext: opaqueType('globalcontext.Context'),
  json: opaqueType('json.Json'),
  yaml: opaqueType('yaml.Yaml'),
};

/** The value of such a variable. */
export class ContextValue extends OpaqueValue {
  readonly type: Type;
  readonly sources: CelSources;

  constructor(name: ContextName, sources: CelSources) {
    super();
    this.type = contextTypes[name];
    this.sources = sources;
  }

  get goType(): string {
    return this.type.name;
  }

  equals(other: Value): boolean | CelError {
    return other === this ? true : noOverload();
  }
}
