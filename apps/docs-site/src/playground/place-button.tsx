import type { FunctionalComponent } from 'vue';
import type { PlaygroundModel } from './state.ts';

/** A place in a file, which the editor shows when it is clicked. */
export const PlaceButton: FunctionalComponent<{
  readonly model: PlaygroundModel;
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}> = ({ model, file, line, column }) => (
  <button
    type="button"
    class="place"
    onClick={() => model.showPlace({ file, line: line ?? 1, column: column ?? 1 })}
  >
    {[file, line, column].filter((part) => part !== undefined).join(':')}
  </button>
);
PlaceButton.props = ['model', 'file', 'line', 'column'];
