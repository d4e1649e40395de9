import type { FieldInfo } from '../fields/field-info.ts';
import type { ObjectView } from '../policy/object-view.ts';
import type { Entry, MapNode } from '../yaml/nodes.ts';

export interface DeprecatedField {
  readonly object: ObjectView;
  readonly map: MapNode;
  readonly entry: Entry;
  readonly field: FieldInfo;
}

/** An edit of a document's text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}
