import { useLocation } from "preact-iso/router";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Returns a function that goes from this page to another once an answer is there, and tells whether it did: somebody
 * who has left this page meanwhile stays where they are.
 */
export const useGoTo = (): ((address: string) => boolean) => {
  const { path, route } = useLocation();
  const here = useRef("");
  useLayoutEffect(() => {
    here.current = path;
    return () => {
      here.current = "";
    };
  }, [path]);
  return (address) => {
    // The path is that of the page on which this began; by now, another page of its kind may be shown.
    const isHere = here.current === path;
    if (isHere) route(address);
    return isHere;
  };
};
