//! The catalog, driven as its protocols do.

mod cascades;
mod damage;
mod fixture;
mod healing;
mod imports;
mod killed;
mod names;
mod recipes;
