//! Tables, laws, proofs and answers for impartial combinatorial games.
