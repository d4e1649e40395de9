import type { Schemas } from '@kubeadmit/schemas';
import { type Dialect, policyDialect, ruleDialect } from './cel/dialect.ts';
import type { KindEnvironment } from './cel/kind-environment.ts';
import { environmentsOf } from './cel/policy-environments.ts';
import { FieldTypes } from './fields/field-types.ts';
import type { JsonSchema } from './fields/json-schema-types.ts';
import { objectsOf } from './policy/object-view.ts';
import { type PolicyView, policiesIn } from './policy/policy-view.ts';
import type { TextDocument } from './workspace/text-document.ts';
import type { Workspace } from './workspace/workspace.ts';

type KyvernoDialects = typeof import('./cel/kyverno-dialect.ts');

/** What the features share: the files, the kinds, and what was made of them. */
export class ServiceContext {
  readonly workspace: Workspace;
  #made: { readonly schemas: Schemas; readonly types: FieldTypes } | undefined;
  #environments: WeakMap<PolicyView, readonly KindEnvironment[]> = new WeakMap();
  readonly #dialects: Map<string, Dialect> = new Map();
  #kyverno: KyvernoDialects | undefined;

  readonly #suites: JsonSchema | undefined;

  /** @param suites the schema of suites of tests */
  constructor(workspace: Workspace, suites?: JsonSchema) {
    this.workspace = workspace;
    this.#suites = suites;
  }

  /** Loads what the expressions of a file need: Kyverno's libraries only where there are policies of its own. */
  async prepare({ parts }: TextDocument): Promise<void> {
    if (this.#kyverno !== undefined) return;
    const hasKyverno = parts
      .flatMap(objectsOf)
      .some((object) =>
        policiesIn(object).some(({ language }) => language === 'kyverno' || language === 'rule'),
      );
    if (hasKyverno) this.#kyverno = await import('./cel/kyverno-dialect.ts');
  }

  /** What the expressions of a policy can call and name; files of Kyverno's policies are to be prepared first. */
  dialectOf({ language, isMutating, object }: PolicyView): Dialect {
    const isNamespaced = object.kind.startsWith('Namespaced');
    const isAboutImages = object.kind.includes('Image');
    const key = `${language} ${isMutating} ${isNamespaced} ${isAboutImages}`;
    const known = this.#dialects.get(key);
    if (known !== undefined) return known;
    const { minor } = this.workspace.schemas;
    const made =
      language === 'definition'
        ? ruleDialect(minor)
        : language === 'kyverno'
          ? this.#kyverno?.kyvernoDialect(isNamespaced, isAboutImages)
          : language === 'rule'
            ? this.#kyverno?.kyvernoRuleDialect()
            : policyDialect(minor, isMutating);
    if (made === undefined) return policyDialect(minor, isMutating);
    this.#dialects.set(key, made);
    return made;
  }

  get schemas(): Schemas {
    return this.#current().schemas;
  }

  get types(): FieldTypes {
    return this.#current().types;
  }

  /** The environments of a policy, one for each kind that it matches. */
  environments(policy: PolicyView): readonly KindEnvironment[] {
    const { schemas, types } = this.#current();
    const known =
      this.#environments.get(policy) ??
      environmentsOf(policy, { schemas, types, dialect: this.dialectOf(policy) });
    this.#environments.set(policy, known);
    return known;
  }

  #current(): { readonly schemas: Schemas; readonly types: FieldTypes } {
    const { schemas } = this.workspace;
    if (this.#made?.schemas !== schemas) {
      this.#made = { schemas, types: new FieldTypes(schemas, this.#suites) };
      this.#environments = new WeakMap();
    }
    return this.#made;
  }
}
