/** Lets other requests of this isolate have their turn, in the middle of something that takes long. */
export const giveWay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
