import type { Schemas } from '@kubeadmit/schemas';
import { type Dialect, policyDialect, ruleDialect } from './cel/dialect.ts';
import type { KindEnvironment } from './cel/kind-environment.ts';
import { environmentsOf } from './cel/policy-environments.ts';
import type { DeprecatedField, Edit } from './features/deprecated-field.ts';
import type { YamlProposal } from './features/yaml-proposal.ts';
import { FieldTypes } from './fields/field-types.ts';
import type { JsonSchemaTypes } from './fields/json-schema-types.ts';
import { type ObjectView, objectsOf } from './policy/object-view.ts';
import type { PolicyView } from './policy/policy-view.ts';
import type { CompletionItem, Hover, Position } from './protocol.ts';
import type { Part } from './workspace/part.ts';
import type { TextDocument } from './workspace/text-document.ts';
import type { Workspace } from './workspace/workspace.ts';

type Words = Readonly<Record<string, string>>;
type WordsByKey = Readonly<Record<string, Words>>;
type Dialects = typeof import('./cel/kyverno-dialect.ts');

/** What files of Kyverno need besides. */
export interface KyvernoPart extends Dialects {
  readonly kyvernoFieldWords: WordsByKey;
  readonly kyvernoSharedWords: Words;
  readonly kyvernoValueWords: WordsByKey;
  repair(
    context: ServiceContext,
    place: DeprecatedField,
  ): { readonly title: string; readonly edits: readonly Edit[] } | undefined;
  kyvernoValues(
    context: ServiceContext,
    object: ObjectView,
    path: readonly (string | number)[],
    way: string,
  ): readonly YamlProposal[] | undefined;
  completeTemplate(
    context: ServiceContext,
    document: TextDocument,
    part: Part,
    offset: number,
  ): readonly CompletionItem[] | undefined;
  hoverTemplate(
    context: ServiceContext,
    document: TextDocument,
    position: Position,
  ): Hover | undefined;
}

/** What a context is made with. */
export interface ContextParts {
  /** The types of suites of tests, where they are known. */
  readonly suites: JsonSchemaTypes | undefined;
  readonly loadKyverno: () => Promise<KyvernoPart>;
}

/** What the features share: the files, the kinds, and what was made of them. */
export class ServiceContext {
  readonly workspace: Workspace;
  #made: { readonly schemas: Schemas; readonly types: FieldTypes } | undefined;
  #environments: WeakMap<PolicyView, readonly KindEnvironment[]> = new WeakMap();
  readonly #dialects: Map<string, Dialect> = new Map();
  #kyverno: KyvernoPart | undefined;

  readonly #parts: ContextParts;

  constructor(workspace: Workspace, parts: ContextParts) {
    this.workspace = workspace;
    this.#parts = parts;
  }

  /** What is needed for files of Kyverno alone; there once one of them was prepared. */
  get kyverno(): KyvernoPart | undefined {
    return this.#kyverno;
  }

  /** Loads what a file needs: words, fixes and libraries of Kyverno only where it has something of Kyverno. */
  async prepare({ parts }: TextDocument): Promise<void> {
    if (this.#kyverno !== undefined) return;
    const hasKyverno = parts.flatMap(objectsOf).some(({ group }) => group.endsWith('kyverno.io'));
    if (hasKyverno) this.#kyverno = await this.#parts.loadKyverno();
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
      this.#made = { schemas, types: new FieldTypes(schemas, this.#parts.suites) };
      this.#environments = new WeakMap();
    }
    return this.#made;
  }
}
