import type { Mark } from './characters.ts';

/** How a scalar is written. */
export type ScalarStyle = 'plain' | 'quoted' | 'block';

/** A token without content: an indicator, or a change of indentation. */
export type SignType =
  | 'stream-end'
  | 'document-start'
  | 'document-end'
  | 'block-sequence-start'
  | 'block-mapping-start'
  | 'block-end'
  | 'flow-sequence-start'
  | 'flow-sequence-end'
  | 'flow-mapping-start'
  | 'flow-mapping-end'
  | 'block-entry'
  | 'flow-entry'
  | 'key'
  | 'value';

/** A token of the scanner. */
export type Token =
  | { readonly type: SignType; readonly start: Mark }
  | { readonly type: 'alias' | 'anchor'; readonly start: Mark; readonly name: string }
  | {
      readonly type: 'tag';
      readonly start: Mark;
      readonly handle: string;
      readonly suffix: string;
    }
  | {
      readonly type: 'scalar';
      readonly start: Mark;
      readonly value: string;
      readonly style: ScalarStyle;
    }
  | {
      readonly type: 'version-directive';
      readonly start: Mark;
      readonly major: number;
      readonly minor: number;
    }
  | {
      readonly type: 'tag-directive';
      readonly start: Mark;
      readonly handle: string;
      readonly prefix: string;
    };

/** A kind of token. */
export type TokenType = Token['type'];
