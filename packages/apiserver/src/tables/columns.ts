import type { KubernetesObject } from '@kubeadmit/apimachinery';

/** One column of a table (meta/v1 TableColumnDefinition) with its cells. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'number' | 'date';
  readonly format: string;
  readonly description: string;
  /** Above zero: only in wide tables. */
  readonly priority: number;
  /** The cell of an object; `now` is in milliseconds since 1970. */
  readonly cell: (object: KubernetesObject, now: number) => unknown;
}

export function textColumn(
  name: string,
  cell: Column['cell'],
  {
    type = 'string',
    priority = 0,
  }: { readonly type?: Column['type']; readonly priority?: number } = {},
): Column {
  return { name, type, format: '', description: '', priority, cell };
}
