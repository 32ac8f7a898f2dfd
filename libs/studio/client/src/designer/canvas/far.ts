import { createContext, useContext } from 'react';

/** If true, the picture is so small that words cannot be read. Nodes are blocks then, and all edges are two lines. */
const Far = createContext(false);

export const FarProvider = Far.Provider;
export const useFar = (): boolean => useContext(Far);
