/** Lets other requests of this isolate have their turn during a long computation. */
export const giveWay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
