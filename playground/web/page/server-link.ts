// The page's WebSocket to the playground's server, with typed messages in both directions.
import type { FromPage, FromServer } from '../protocol';

export interface ServerLink {
  readonly send: (message: FromPage) => void;
  readonly onMessage: (listener: (message: FromServer) => void) => void;
  readonly onClosed: (listener: () => void) => void;
}

export function openServerLink(): ServerLink {
  const socket = new WebSocket(`ws://${location.host}/link`);
  return {
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    onMessage: (listener) => {
      socket.addEventListener('message', ({ data }) => listener(JSON.parse(String(data))));
    },
    onClosed: (listener) => socket.addEventListener('close', listener),
  };
}
