import { type LanguageService, RenameError } from '@kubeadmit/language';
import {
  type CodeActionParams,
  type Connection,
  type DocumentRangeFormattingParams,
  ErrorCodes,
  type RenameParams,
  ResponseError,
  type TextDocumentPositionParams,
} from 'vscode-languageserver/node';
import { canonicalUri } from './file-uri.ts';

/** Answers the requests of a client about documents, when the language service is ready. */
export function answerRequests(connection: Connection, ready: Promise<LanguageService>): void {
  const asked =
    <Params extends { readonly textDocument: { readonly uri: string } }>(
      answer: (service: LanguageService, params: Params, uri: string) => unknown,
    ) =>
    async (
      params: Params,
      token: { readonly isCancellationRequested: boolean },
    ): Promise<never> => {
      const service = await ready;
      // Process messages that arrived meanwhile: a change or a cancellation.
      await new Promise((resolve) => setImmediate(resolve));
      if (token.isCancellationRequested) throw new ResponseError(-32800, 'cancelled');
      return ((await answer(service, params, canonicalUri(params.textDocument.uri))) ??
        null) as never;
    };
  /** Handlers for a position, and for a document. */
  const at = (name: 'hover' | 'signatureHelp' | 'definition' | 'references' | 'prepareRename') =>
    asked((service, { position }: TextDocumentPositionParams, uri) => service[name](uri, position));
  const of = (name: 'documentSymbols' | 'foldingRanges' | 'inlayHints') =>
    asked((service, _, uri) => service[name](uri));
  connection.onCompletion(
    asked(async (service, { position }, uri) => ({
      isIncomplete: false,
      items: await service.completion(uri, position),
    })),
  );
  connection.onHover(at('hover'));
  connection.onSignatureHelp(at('signatureHelp'));
  connection.onDefinition(at('definition'));
  connection.onReferences(at('references'));
  connection.onPrepareRename(at('prepareRename'));
  connection.onRenameRequest(
    asked(async (service, { position, newName }: RenameParams, uri) => {
      try {
        return await service.rename(uri, position, newName);
      } catch (error) {
        if (!(error instanceof RenameError)) throw error;
        throw new ResponseError(ErrorCodes.InvalidParams, error.message);
      }
    }),
  );
  connection.onDocumentSymbol(of('documentSymbols'));
  connection.onFoldingRanges(of('foldingRanges'));
  connection.onCodeAction(
    asked((service, { range }: CodeActionParams, uri) => service.codeActions(uri, range)),
  );
  connection.onDocumentRangeFormatting(
    asked((service, { range }: DocumentRangeFormattingParams, uri) =>
      service.formatExpressions(uri, range),
    ),
  );
  connection.languages.inlayHint.on(of('inlayHints'));
  connection.languages.semanticTokens.on(
    asked(async (service, _, uri) => ({ data: await service.semanticTokens(uri) })),
  );
}
